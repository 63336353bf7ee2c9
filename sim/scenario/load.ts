/** Reads scenarios from files. */

import { readFileSync } from 'node:fs'
import { BadInput } from '../../terminal/bad-input.ts'
import { parseScenario } from './check.ts'
import type { Scenario } from './scenario.ts'

/**
 * Reads a scenario file; faults call it `name`. Throws `BadInput` with every fault if the file
 * cannot be used.
 */
export function loadScenario(path: string, name: string = path): Scenario {
  return parseScenario(readBytes(path, name), name)
}

/** Returns the bytes of a file; faults call it `name`. Throws `BadInput` if it cannot be read. */
export function readBytes(path: string, name: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    const actual = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new BadInput(name, [{ where: 'file', expected: 'a file that can be read', actual }])
  }
}
