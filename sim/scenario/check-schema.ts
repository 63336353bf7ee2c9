/** Validates a document against the schema of scenarios. */

import { readFileSync } from 'node:fs'
import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js'
import { schemaFaults } from '../../engine/index.ts'
import { shown, type InputFault } from './bad-input.ts'
import type { Scenario } from './scenario.ts'

/** Relative to the compiled file, which is one folder deeper than this one. */
const schemaFile = new URL('../../../scenarios/scenario.schema.json', import.meta.url)

const schema: SchemaObject = JSON.parse(readFileSync(schemaFile, 'utf8'))

const isScenario = new Ajv2020({
  allErrors: true,
  verbose: true,
  discriminator: true,
  allowUnionTypes: true,
  strictRequired: false,
}).compile<Scenario>(schema)

export type Checked =
  | { readonly scenario: Scenario; readonly faults: readonly [] }
  | { readonly scenario: null; readonly faults: readonly InputFault[] }

/** Returns the document as a scenario if it is valid by the schema; else all faults. */
export function checkSchema(document: unknown): Checked {
  if (isScenario(document)) return { scenario: document, faults: [] }
  const faults = schemaFaults(isScenario.errors ?? [])
  return {
    scenario: null,
    faults: faults.map((fault) => ({ ...fault, actual: shown(fault.actual) })),
  }
}
