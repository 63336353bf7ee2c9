/** Validates a document against the schema of scenarios. */

import { schemaFaults } from '../../engine/index.ts'
import { shown, type InputFault } from '../../server/terminal/bad-input.ts'
import { checkOfScenarios } from './is-scenario.ts'
import type { Scenario } from './scenario.ts'

export type Checked =
  | { readonly scenario: Scenario; readonly faults: readonly [] }
  | { readonly scenario: null; readonly faults: readonly InputFault[] }

/** Returns the document as a scenario if it is valid by the schema; else all faults. */
export function checkSchema(document: unknown): Checked {
  const isScenario = checkOfScenarios()
  if (isScenario(document)) return { scenario: document, faults: [] }
  const faults = schemaFaults(isScenario.errors ?? [])
  return {
    scenario: null,
    faults: faults.map((fault) => ({ ...fault, actual: shown(fault.actual) })),
  }
}
