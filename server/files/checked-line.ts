/**
 * Makes lines of JSON whose last member is their checksum:
 *
 *     {"sequence":7,"at":1769774400000,...,"crc":"0d4a1185"}
 */

import { closeSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { checksumTail, checksumTailLength, type Line, linesIn } from '../../engine/index.ts'

const closingBrace = Buffer.from('}')

/** Returns an object as a line with checksum and line end. */
export function checkedLine(value: object): string {
  return checkedBytes(value).toString()
}

/** Like `checkedLine`, as bytes for a file; encodes the text only once. */
export function checkedBytes(value: object): Buffer {
  const text = JSON.stringify(value)
  const length = Buffer.byteLength(text)
  const line = Buffer.allocUnsafe(length - closingBrace.length + checksumTailLength + 1)
  line.write(text)
  const crc = crc32(line.subarray(0, length))
  line.write(`${checksumTail(crc)}\n`, length - closingBrace.length)
  return line
}

/** Like `checkedBytes`, for JSON in pieces, so that a long line is never in memory as a whole. */
export function* checkedPieces(pieces: Iterable<string>): Generator<Buffer> {
  let crc = 0
  let last = ''
  for (const piece of pieces) {
    const bytes = Buffer.from(last)
    crc = crc32(bytes, crc)
    yield bytes
    last = piece
  }
  crc = crc32(Buffer.from(last), crc)
  yield Buffer.from(`${last.slice(0, -closingBrace.length)}${checksumTail(crc)}\n`)
}

/** Reads a file line by line; holds at most two chunks of it in memory. */
export function* linesOfFile(path: string): Generator<Line> {
  const file = openSync(path, 'r')
  try {
    yield* linesIn((chunk, offset) => readSync(file, chunk, 0, chunk.length, offset))
  } finally {
    closeSync(file)
  }
}
