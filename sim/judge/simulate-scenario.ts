/** Running a scenario from a program of one's own: one call, one document. */

import type { Property } from '../observe/property.ts'
import { properties as builtIn } from '../properties/index.ts'
import type { ResultDocument } from '../result/result-document.ts'
import { resultDocument } from '../result/write-result.ts'
import { checkScenario } from '../scenario/check.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { runScenario } from './run-scenario.ts'

export type SimulateScenarioOptions = {
  /** Replaces the seed of the scenario, which is 1 unless the scenario says otherwise. */
  readonly seed?: number
  /** The properties to check. Default: all properties of Mergeyard. Add your own to `properties`. */
  readonly properties?: readonly Property[]
}

/**
 * Runs a scenario once, from its first submission until nothing is left to do, and returns the
 * document that `mergeyard sim <file> --json` prints. Times in it are minutes from the start.
 *
 * A property that does not hold is no exception: it is listed under `properties`, with its
 * violations. The same scenario and seed give the same document on every machine.
 *
 * Throws `BadInput`, with a line for each fault, when the scenario does not fit
 * `scenario.schema.json`.
 */
export function simulateScenario(
  scenario: Scenario,
  { seed, properties = builtIn }: SimulateScenarioOptions = {},
): ResultDocument {
  const checked = checkScenario(scenario, scenario.name)
  const seeded = seed === undefined ? checked : { ...checked, seed }
  return resultDocument(runScenario(seeded, { properties }).result)
}
