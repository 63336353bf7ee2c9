/** Reads scenarios from files. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readBytes } from '../../server/terminal/files.ts'
import { parseScenario } from './check.ts'
import type { Scenario } from './scenario.ts'

/**
 * Reads a scenario file; faults call it `name`. Throws `BadInput` with every fault if the file
 * cannot be used.
 */
export function loadScenario(path: string, name: string = path): Scenario {
  return parseScenario(readBytes(existsSync(path) ? path : ofPackage(path, name), name), name)
}

/** What is not below `scenarios/` here is one of the package's, so that its help and README can name them. */
function ofPackage(path: string, name: string): string {
  return name.startsWith('scenarios/')
    ? fileURLToPath(new URL(`../../../${name}`, import.meta.url))
    : path
}
