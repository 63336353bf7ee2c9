/** From a file, or text, to a scenario that is known to be sound. */

import { readFileSync } from 'node:fs'
import { BadInput } from './bad-input.ts'
import { checkMeaning } from './check-meaning.ts'
import { checkSchema } from './check-schema.ts'
import { parseJson } from './json-text.ts'
import type { Scenario } from './scenario.ts'

/**
 * Reads a scenario file, which faults call by `name`. Throws `BadInput`, with every fault, when it
 * cannot be used.
 */
export function loadScenario(path: string, name: string = path): Scenario {
  return parseScenario(readBytes(path, name), name)
}

/** Reads a scenario from its text or bytes; `source` is what faults call it. */
export function parseScenario(text: string | Uint8Array, source: string): Scenario {
  return checkScenario(parseJson(text, source), source)
}

/** Answers the document as the scenario that it is, or throws `BadInput` with every fault. */
export function checkScenario(document: unknown, source: string): Scenario {
  const { scenario, faults } = checkSchema(document)
  if (!scenario) throw new BadInput(source, faults)
  const nonsense = checkMeaning(scenario)
  if (nonsense.length > 0) throw new BadInput(source, nonsense)
  return scenario
}

/** The bytes of a file, which faults call by `name`. */
export function readBytes(path: string, name: string): Uint8Array {
  try {
    return readFileSync(path)
  } catch (error) {
    const came = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new BadInput(name, [{ where: 'file', expected: 'a file that can be read', came }])
  }
}
