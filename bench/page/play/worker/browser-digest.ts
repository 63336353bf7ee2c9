/** The digests of `sim/random/digest.ts`, without Node. */

import { sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** SHA-1 of a text in base64url, for short names. */
export function shortDigest(text: string): string {
  return base64url(sha1(utf8ToBytes(text)))
}

export function base64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** SHA-256 of text that comes in pieces. */
export class TextDigest {
  readonly #hash = sha256.create()

  add(piece: string): void {
    this.#hash.update(utf8ToBytes(piece))
  }

  /** Hexadecimal. Nothing can be added after this call. */
  hex(): string {
    return bytesToHex(this.#hash.digest())
  }
}
