/** A scenario as text that fits into a link. */

import { checkedText } from './checked-text.ts'

/** A longer link is cut off by some programs that people send it with. */
export const longestPacked = 6000

/** A link from anybody may hold anything, so it may not unpack to more than this. */
const mostBytes = 2_000_000

/** Returns the document compressed, in base64url; null if it is too long for a link. */
export async function packed(document: unknown): Promise<string | null> {
  const text = new Blob([JSON.stringify(document)]).stream()
  const bytes = new Uint8Array(
    await new Response(text.pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer(),
  )
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
  const result = base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return result.length > longestPacked ? null : result
}

/** Returns the text of a packed document. Throws if it is none, or too long. */
export async function unpacked(text: string): Promise<string> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  const bytes = Uint8Array.from(atob(base64), (each) => each.codePointAt(0) ?? 0)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return checkedText(stream, mostBytes)
}
