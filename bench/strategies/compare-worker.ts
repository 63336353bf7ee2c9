/** The entry point of a worker thread: simulates one strategy with one seed. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { ComparedFigures } from './figures.ts'
import { frozenScenario } from './frozen-scenario.ts'
import { strategies } from './index.ts'

export type CompareTask = {
  readonly strategy: string
  /** The scenario with the seed of this task. */
  readonly scenario: Scenario
}

// The pool calls a default export or an export of this name.
export function compareWorker({ strategy, scenario }: CompareTask): ComparedFigures {
  const found = strategies.find(({ name }) => name === strategy)
  if (!found) throw new Error(`there is no strategy ${strategy}`)
  return found.simulate(frozenScenario(scenario))
}
