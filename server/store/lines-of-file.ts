/** Reads a file line by line, holding no more of it than one line and one chunk. */

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
    let rest: Buffer[] = []
    let number = 1
    let offset = 0
    for (const chunk of chunksOf(file)) {
      let start = 0
      let end = chunk.indexOf(lineEnd)
      while (end !== -1) {
        const bytes = joined(rest, chunk.subarray(start, end))
        yield { bytes, number, offset, isWhole: true }
        rest = []
        number++
        offset += bytes.length + 1
        start = end + 1
        end = chunk.indexOf(lineEnd, start)
      }
      // The chunk's memory is read into again: what is kept is copied.
      if (start < chunk.length) rest.push(Buffer.from(chunk.subarray(start)))
    }
    if (rest.length > 0) yield { bytes: Buffer.concat(rest), number, offset, isWhole: false }
  } finally {
    closeSync(file)
  }
}

function* chunksOf(file: number): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  for (;;) {
    const length = readSync(file, chunk, 0, chunkBytes, null)
    if (length === 0) return
    yield chunk.subarray(0, length)
  }
}

function joined(rest: readonly Buffer[], end: Buffer): Buffer {
  return rest.length === 0 ? end : Buffer.concat([...rest, end])
}
