/** Reads a file line by line; holds at most two chunks of it in memory. */

import { closeSync, openSync, readSync } from 'node:fs'
import { linesIn, type Line } from '../../engine/index.ts'

export function* linesOfFile(path: string): Generator<Line> {
  const file = openSync(path, 'r')
  try {
    yield* linesIn((chunk, offset) => readSync(file, chunk, 0, chunk.length, offset))
  } finally {
    closeSync(file)
  }
}
