/** The entry point of a worker thread: simulates a row of the comparison with one seed. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { otherQueue, simulateEngine, strategies } from '../queues/index.ts'
import type { ComparedFigures } from '../queues/figures.ts'
import { frozenScenario } from '../queues/fair-scenario.ts'
import { simulatePolicy } from '../queues/simulate-policy.ts'
import type { OtherSetting } from '../tune/candidates.ts'

/** A strategy by its name, or a setting of another queue or of Mergeyard. */
export type RowToSimulate =
  | { readonly kind: 'strategy'; readonly name: string }
  | { readonly kind: 'other'; readonly setting: OtherSetting }
  | { readonly kind: 'own'; readonly queue: Scenario['queue'] }

export type CompareTask = {
  readonly row: RowToSimulate
  /** The scenario with the seed of this task. */
  readonly scenario: Scenario
}

// The pool calls a default export or an export of this name.
export function compareWorker({ row, scenario: drawn }: CompareTask): ComparedFigures {
  const scenario = frozenScenario(drawn)
  if (row.kind === 'own') {
    return simulateEngine({ ...scenario, queue: { ...scenario.queue, ...row.queue } })
  }
  if (row.kind === 'other') {
    const { queue, values, slots } = row.setting
    return simulatePolicy(scenario, otherQueue(queue).policy(values), slots)
  }
  const found = strategies.find(({ name }) => name === row.name)
  if (!found) throw new Error(`there is no strategy ${row.name}`)
  return found.simulate(scenario)
}
