/** Reads scenarios from files. */

import { readBytes } from '../../server/terminal/read-bytes.ts'
import { parseScenario } from './check.ts'
import type { Scenario } from './scenario.ts'

/**
 * Reads a scenario file; faults call it `name`. Throws `BadInput` with every fault if the file
 * cannot be used.
 */
export function loadScenario(path: string, name: string = path): Scenario {
  return parseScenario(readBytes(path, name), name)
}
