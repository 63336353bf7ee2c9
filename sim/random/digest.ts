/**
 * The digests of a simulation: of names for draws, and of a trace. The build of the playground
 * replaces this file by one that gives the same digests without Node; see `bench/page/build`.
 */

import { createHash, hash } from 'node:crypto'

/** SHA-1 of a text in base64url, for short names. */
export function shortDigest(text: string): string {
  return hash('sha1', text, 'base64url')
}

/** SHA-256 of text that comes in pieces. */
export class TextDigest {
  readonly #hash = createHash('sha256')

  add(piece: string): void {
    this.#hash.update(piece)
  }

  /** Hexadecimal. Nothing can be added after this call. */
  hex(): string {
    return this.#hash.digest('hex')
  }
}
