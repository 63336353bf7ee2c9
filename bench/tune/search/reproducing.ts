/** The scenario that a run of the search simulated, as a file for the simulator. */

import { resampleWeeks } from '../../../sim/world/resample-weeks.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import type { Candidate } from '../settings/candidates.ts'
import { changedModel } from '../model/model-change.ts'

type Simulated = Pick<Candidate, 'scenario' | 'change'>

/** Returns the scenario that a run simulates: a history with other weeks, and other assumptions. */
export function simulatedScenario({ scenario, change }: Simulated, seed: number): Scenario {
  return resampleWeeks(change ? changedModel(scenario, change, seed) : scenario, seed)
}

/** Returns the text of the scenario with its weeks drawn; without what the file expects. */
export function reproducing(candidate: Simulated, seed: number): string {
  const {
    expect: _expect,
    mustFail: _mustFail,
    $schema: _schema,
    ...scenario
  } = simulatedScenario(candidate, seed)
  return `${JSON.stringify(scenario, null, 2)}\n`
}
