/** Reads scenarios from text, and checks them. */

import { schemaFaults } from '../../engine/index.ts'
import { BadInput, shown } from '../../server/terminal/bad-input.ts'
import { checkMeaning } from './check-meaning.ts'
import { parseJson } from '../../server/terminal/json-text.ts'
import { checkOfScenarios } from './is-scenario.ts'
import type { Scenario } from './scenario.ts'

/** Reads a scenario from text or bytes; faults call it `source`. Throws `BadInput`. */
export function parseScenario(text: string | Uint8Array, source: string): Scenario {
  return checkScenario(parseJson(text, source), source)
}

/** The file is a JSON Schema, such as the one that describes scenarios and lies beside them. */
export class SchemaInput extends BadInput {
  readonly source: string

  constructor(source: string) {
    super(source, [{ where: '/$schema', expected: 'a scenario', actual: 'a JSON Schema' }])
    this.source = source
  }
}

/**
 * Returns the document as a scenario, or throws `BadInput` with every fault; `SchemaInput` for a
 * JSON Schema.
 */
export function checkScenario(document: unknown, source: string): Scenario {
  if (isJsonSchema(document)) throw new SchemaInput(source)
  const isScenario = checkOfScenarios()
  if (!isScenario(document)) {
    const faults = schemaFaults(isScenario.errors ?? [])
    throw new BadInput(
      source,
      faults.map((fault) => ({ ...fault, actual: shown(fault.actual) })),
    )
  }
  const faults = checkMeaning(document)
  if (faults.length > 0) throw new BadInput(source, faults)
  return document
}

/** A schema names its dialect in `$schema`; a scenario names the file of its schema there. */
function isJsonSchema(document: unknown): boolean {
  if (typeof document !== 'object' || document === null || !('$schema' in document)) return false
  return /^https?:\/\/json-schema\.org\//.test(String(document.$schema))
}
