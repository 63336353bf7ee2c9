/** Reads a file that a person has named. */

import { readFileSync } from 'node:fs'
import { BadInput } from './bad-input.ts'

/** Returns the bytes of a file; faults call it `name`. Throws `BadInput` if it cannot be read. */
export function readBytes(path: string, name: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    const actual = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new BadInput(name, [{ where: 'file', expected: 'a file that can be read', actual }])
  }
}
