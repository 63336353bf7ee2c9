/**
 * A line of JSON that carries its own checksum as its last member, so that no damage goes unseen:
 *
 *     {"sequence":7,"at":1769774400000,...,"crc":"0d4a1185"}
 */

import { crc32 } from 'node:zlib'
import { checksumTail, checksumTailLength } from '../../engine/index.ts'
import type { Bytes } from './lines-of-file.ts'

const closingBrace = Buffer.from('}')

/** The line of an object, with its line end. */
export function checkedLine(value: object): string {
  return checkedBytes(value).toString()
}

/** The same as it goes to disk: its text is made into bytes once. */
export function checkedBytes(value: object): Buffer {
  const text = JSON.stringify(value)
  const length = Buffer.byteLength(text)
  const line = Buffer.allocUnsafe(length - closingBrace.length + checksumTailLength + 1)
  line.write(text)
  const crc = crc32(line.subarray(0, length))
  line.write(`${checksumTail(crc)}\n`, length - closingBrace.length)
  return line
}

/** The same of text in pieces: a long line is never whole in memory. */
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

/** Whether a line, without its line end, ends in the checksum of what is before. */
export function isCheckedLine({ pieces, length }: Bytes): boolean {
  let crc = 0
  let tail = ''
  let bodyLeft = length - checksumTailLength
  for (const piece of pieces) {
    const body = piece.subarray(0, Math.max(bodyLeft, 0))
    crc = crc32(body, crc)
    tail += piece.toString('latin1', body.length)
    bodyLeft -= piece.length
  }
  return tail === checksumTail(crc32(closingBrace, crc))
}
