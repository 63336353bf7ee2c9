/** Reads a file line by line, holding no more of it than one chunk, or one line that is longer. */

import { closeSync, openSync, readSync } from 'node:fs'

const chunkBytes = 1 << 20
const lineEnd = 0x0a

export type FileLine = {
  /** Without its line end. Valid until the next line is asked for. */
  readonly bytes: Buffer
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
    let number = 1
    let offset = 0
    for (let chunk = Buffer.allocUnsafe(chunkBytes); ;) {
      const filled = chunk.subarray(0, readAt(file, chunk, offset))
      let start = 0
      for (let end = filled.indexOf(lineEnd); end !== -1; end = filled.indexOf(lineEnd, start)) {
        yield { bytes: filled.subarray(start, end), number, offset: offset + start, isWhole: true }
        number++
        start = end + 1
      }
      const rest = filled.subarray(start)
      offset += start
      const isEnd = filled.length < chunk.length
      if (isEnd && rest.length > 0) yield { bytes: rest, number, offset, isWhole: false }
      if (isEnd) return
      // What is left of the chunk is read again, with what follows it.
      const length = start === 0 ? lineLength(file, offset) : chunkBytes
      if (length !== chunk.length) chunk = Buffer.allocUnsafe(length)
    }
  } finally {
    closeSync(file)
  }
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

/** How long the line is that begins there, with its end; one more than what is left without one. */
function lineLength(file: number, offset: number): number {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (let passed = 0; ;) {
    const filled = chunk.subarray(0, readAt(file, chunk, offset + passed))
    const end = filled.indexOf(lineEnd)
    if (end !== -1) return Math.max(passed + end + 1, chunkBytes)
    passed += filled.length
    if (filled.length < chunk.length) return Math.max(passed + 1, chunkBytes)
  }
}
