/**
 * A line of JSON whose last member is the checksum of the line, so that damage is detected:
 *
 *     {"sequence":7,"at":1769774400000,...,"crc":"0d4a1185"}
 */

import { checksumTail, checksumTailLength } from './format.ts'
import type { Bytes } from './lines.ts'

/**
 * Returns the CRC-32 of the data, continued from the CRC-32 `before` of the preceding data (default
 * 0). A string is encoded as UTF-8. `crc32` of `node:zlib` has this type.
 */
export type Crc32 = (data: Uint8Array | string, before?: number) => number

/** True if a line, given without its line end, ends with the checksum of the bytes before. */
export function isCheckedLine({ pieces, length }: Bytes, crc32: Crc32): boolean {
  let crc = 0
  let bodyLeft = length - checksumTailLength
  let tail: string | null = null
  let matched = 0
  for (const piece of pieces) {
    const body = piece.subarray(0, Math.max(bodyLeft, 0))
    crc = crc32(body, crc)
    bodyLeft -= piece.length
    for (let at = body.length; at < piece.length; at++) {
      tail ??= checksumTail(crc32('}', crc))
      if (piece[at] !== tail.charCodeAt(matched)) return false
      matched++
    }
  }
  return matched === checksumTailLength
}
