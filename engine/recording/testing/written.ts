/** Texts of recordings for tests. */

import { crc32 } from 'node:zlib'
import { checksumTail, snapshotTail } from '../format.ts'
import { linesIn, type Bytes, type Line } from '../lines.ts'

/** Returns the line of an object with its checksum and line end. */
export function checkedText(value: object): string {
  const text = JSON.stringify(value)
  return `${text.slice(0, -1)}${checksumTail(crc32(text))}\n`
}

/** Returns a snapshot with these records. */
export function snapshotText(header: object, records: readonly object[]): string {
  const first = `${JSON.stringify(header).slice(0, -1)},"lines":[\n`
  const text = `${first}${records.map((each) => JSON.stringify(each)).join(',\n')}\n`
  return `${text}${snapshotTail(crc32(text))}\n`
}

// Recordings in tests: bytes in memory, cut into pieces.

/** Returns the bytes of a text in pieces of this size. */
export function inPieces(text: string | Uint8Array, pieceBytes = 1 << 20): Bytes {
  const bytes = Buffer.from(text)
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    pieces.push(bytes.subarray(at, at + pieceBytes))
  }
  return { pieces, length: bytes.length }
}

/**
 * Returns the lines of a text as if it were a file that is read in parts of at most `readBytes`.
 */
export function linesOfText(text: string, readBytes = Infinity): Generator<Line> {
  const file = Buffer.from(text)
  return linesIn((chunk, offset) =>
    file.copy(chunk, 0, offset, Math.min(file.length, offset + readBytes)),
  )
}
