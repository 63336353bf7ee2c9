/** The models of run length under which the queues are compared. */

import { lengthOf } from '../../sim/import/lengths.ts'
import { scenarioDefaults, type Length, type Scenario } from '../../sim/scenario/scenario.ts'
import { lengthLawOf } from '../../sim/theory/length-law.ts'

export const lengthModels = {
  scenario: 'as the scenario says',
  run: 'drawn for each run',
  constant: 'the same for all runs',
  composition: 'of the slowest pull request in the run, those below included',
} as const satisfies Record<string, string>

export type LengthModel = keyof typeof lengthModels

export function isLengthModel(text: string): text is LengthModel {
  return text in lengthModels
}

/** The models that `all` stands for. */
export const allLengthModels: readonly LengthModel[] = ['run', 'constant', 'composition']

/** Returns the scenario with this model. The mean length stays the same, except of compositions. */
export function withLengths(scenario: Scenario, model: LengthModel): Scenario {
  if (model === 'scenario') return scenario
  const minutes = lengthIn(scenario)
  if (model === 'composition') {
    return { ...scenario, suite: { ...scenario.suite, minutes, per: 'composition' } }
  }
  const { pullRequests } = scenario
  const suite = { minutes: model === 'constant' ? lengthLawOf(minutes).mean : minutes }
  const plain = pullRequests?.map(({ testMinutes: _testMinutes, ...entry }) => entry)
  return { ...scenario, suite, ...(plain ? { pullRequests: plain } : {}) }
}

/** The length of runs of the suite; in a history, that of the lengths that it records. */
function lengthIn({ pullRequests = [], suite }: Scenario): Length {
  const recorded = pullRequests.flatMap(({ testMinutes }) => testMinutes ?? [])
  return lengthOf(recorded) ?? suite?.minutes ?? scenarioDefaults.suiteMinutes
}
