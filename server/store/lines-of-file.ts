/** Reads a file line by line, holding no more of it than a chunk or two. */

import { closeSync, openSync, readSync } from 'node:fs'

const chunkBytes = 1 << 20
const lineEnd = 0x0a

/** Valid until the next line is asked for. */
export type Bytes = {
  /** One piece of what fits a chunk; of more, each piece is valid until the next. */
  readonly pieces: Iterable<Buffer>
  /** How many bytes those are. */
  readonly length: number
}

/** Without its line end. */
export type FileLine = Bytes & {
  /** From 1. */
  readonly number: number
  /** Where it begins in the file. */
  readonly offset: number
  /** False for a last line that was cut short. */
  readonly isWhole: boolean
}

export function* linesOfFile(path: string): Generator<FileLine> {
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    let number = 1
    for (let offset = 0; ;) {
      const filled = chunk.subarray(0, readAt(file, chunk, offset))
      let start = 0
      for (let end = filled.indexOf(lineEnd); end !== -1; end = filled.indexOf(lineEnd, start)) {
        const pieces = [filled.subarray(start, end)]
        yield { pieces, length: end - start, number, offset: offset + start, isWhole: true }
        number++
        start = end + 1
      }
      offset += start
      const isEnd = filled.length < chunk.length
      const rest = filled.subarray(start)
      const { length } = rest
      if (isEnd && length > 0) yield { pieces: [rest], length, number, offset, isWhole: false }
      if (isEnd) return
      // What is left of the chunk is read again, with what follows it.
      if (start > 0) continue
      const line = longLine(file, offset)
      yield { ...line, number, offset }
      number++
      offset += line.length + 1
    }
  } finally {
    closeSync(file)
  }
}

export function textOf({ pieces, length }: Bytes): string {
  const [start = Buffer.alloc(0)] = pieces
  if (start.length === length) return start.toString()
  const whole = Buffer.allocUnsafe(length)
  let filled = 0
  for (const piece of pieces) filled += piece.copy(whole, filled)
  return whole.toString()
}

/** Reads until the chunk is full or the file ends; answers how many bytes those were. */
function readAt(file: number, chunk: Buffer, offset: number): number {
  let filled = 0
  for (;;) {
    const length = readSync(file, chunk, filled, chunk.length - filled, offset + filled)
    filled += length
    if (length === 0 || filled === chunk.length) return filled
  }
}

/** The line that begins there, and is longer than a chunk. */
function longLine(file: number, offset: number): Bytes & Pick<FileLine, 'isWhole'> {
  let length = 0
  let isWhole = false
  for (const chunk of chunksFrom(file, offset, Infinity)) {
    const end = chunk.indexOf(lineEnd)
    isWhole = end !== -1
    length += isWhole ? end : chunk.length
    if (isWhole) break
  }
  const pieces = { [Symbol.iterator]: () => chunksFrom(file, offset, length) }
  return { pieces, length, isWhole }
}

/** So many bytes of the file, or all there are. */
function* chunksFrom(file: number, offset: number, bytes: number): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let passed = 0; passed < bytes;) {
    const filled = chunk.subarray(0, Math.min(readAt(file, chunk, offset + passed), bytes - passed))
    if (filled.length === 0) return
    yield filled
    passed += filled.length
  }
}
