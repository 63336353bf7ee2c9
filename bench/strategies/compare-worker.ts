/** The entry of a worker thread: one strategy, one seed. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { ComparedFigures } from './figures.ts'
import { strategies } from './index.ts'

export type CompareTask = {
  readonly strategy: string
  /** With its seed. */
  readonly scenario: Scenario
}

// The pool wants a default export, or a function of this name.
export function compareWorker({ strategy, scenario }: CompareTask): ComparedFigures {
  const found = strategies.find(({ name }) => name === strategy)
  if (!found) throw new Error(`there is no strategy ${strategy}`)
  return found.play(scenario)
}
