/**
 * The data folder of a server of version 1.0.0, which every later version must be able to read.
 * That server was started three times, stopped twice, and killed at the end. So there are three
 * segments, and a snapshot at the beginning of the second and of the third. The files have the
 * suffix `.txt`, so that no tool formats them.
 */

import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { checksumTail, snapshotTail } from '../format.ts'
import { linesIn, type Bytes, type Line } from '../lines.ts'

/** Relative to the compiled code, which is one folder deeper than this file. */
const source = fileURLToPath(
  new URL('../../../../engine/recording/testing/recorded', import.meta.url),
)

/** Copies the data folder to `folder`, with the file names of a server. */
export function copyRecorded(folder: string): void {
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.txt')) continue
    const to = join(folder, name.slice(0, -'.txt'.length))
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(join(source, name), to)
  }
}

// Texts of recordings for tests.

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
