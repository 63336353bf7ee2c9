/** Reads the files of a recording with the engine's reader. Changes no file. */

import { closeSync, openSync, readSync } from 'node:fs'
import { DamagedRecording, linesIn, type Line } from '../../engine/index.ts'
import { BadInput } from '../scenario/bad-input.ts'

/**
 * Calls `read` with the lines of a file and returns its result. Throws `BadInput` if the file is
 * damaged.
 */
export function readingFile<Value>(path: string, read: (lines: Iterable<Line>) => Value): Value {
  const file = openFile(path)
  try {
    return read(linesIn((chunk, offset) => readSync(file, chunk, 0, chunk.length, offset)))
  } catch (error) {
    if (!(error instanceof DamagedRecording)) throw error
    const { line, expected, actual } = error
    const where = line === null ? 'file' : `line ${line}`
    throw new BadInput(path, [{ where, expected, actual }])
  } finally {
    closeSync(file)
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    const actual = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new BadInput(path, [{ where: 'file', expected: 'a file that can be read', actual }])
  }
}
