/** The files of a recording, line by line, each held against its checksum. Reads only. */

import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { checksumTail, checksumTailLength } from '../../engine/index.ts'
import { BadInput } from '../scenario/bad-input.ts'

export type Line = {
  readonly bytes: Buffer
  /** From 1. */
  readonly number: number
  /** False for a last line without an end: a crash tore it, or it is being written. */
  readonly isWhole: boolean
}

const lineEnd = 0x0a
const closingBrace = '}'

export function* linesOf(path: string): Generator<Line> {
  const bytes = bytesOf(path)
  let number = 1
  for (let start = 0; start < bytes.length; number++) {
    const end = bytes.indexOf(lineEnd, start)
    const isWhole = end !== -1
    yield { bytes: bytes.subarray(start, isWhole ? end : bytes.length), number, isWhole }
    start = isWhole ? end + 1 : bytes.length
  }
}

/** The text of a line that carries its checksum. Throws `BadInput` where that does not fit. */
export function checkedText(path: string, { bytes, number }: Line): string {
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumTailLength))
  const text = bytes.toString('utf8')
  if (body.length > 0 && text.endsWith(checksumTail(crc32(closingBrace, crc32(body))))) return text
  throw damaged(path, number, 'a line that fits its checksum', 'another')
}

/** A fault of a file of the recording. */
export function damaged(path: string, line: number, expected: string, came: string): BadInput {
  return new BadInput(path, [{ where: `line ${line}`, expected, came }])
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const came = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new BadInput(path, [{ where: 'file', expected: 'a file that can be read', came }])
  }
}
