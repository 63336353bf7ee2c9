/** The entry point of a worker thread: simulates a row of the comparison with one seed. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { otherQueue, simulateEngine, strategies } from '../queues/index.ts'
import type { ComparedFigures } from '../queues/figures.ts'
import { frozenScenario } from '../queues/fair-scenario.ts'
import { simulatePolicy } from '../queues/simulate-policy.ts'
import type { OtherSetting } from '../tune/candidates.ts'

/** A strategy by its name, or a setting of Mergeyard or of another queue. */
export type RowToSimulate =
  | { readonly kind: 'strategy'; readonly name: string }
  | { readonly kind: 'setting'; readonly other: OtherSetting; readonly slots: number }
  | { readonly kind: 'setting'; readonly other: null; readonly queue: Scenario['queue'] }

export type CompareTask = {
  readonly row: RowToSimulate
  /** The scenario with the seed of this task. */
  readonly scenario: Scenario
}

// The pool calls a default export or an export of this name.
export function compareWorker({ row, scenario: drawn }: CompareTask): ComparedFigures {
  const scenario = frozenScenario(drawn)
  if (row.kind === 'setting') return simulateSetting(row, scenario)
  const found = strategies.find(({ name }) => name === row.name)
  if (!found) throw new Error(`there is no strategy ${row.name}`)
  return found.simulate(scenario)
}

function simulateSetting(
  row: Extract<RowToSimulate, { kind: 'setting' }>,
  { queue: own, ...rest }: Scenario,
): ComparedFigures {
  if (row.other === null) {
    const queue = { ...own, ...row.queue }
    return simulateEngine({ ...rest, queue })
  }
  const { queue: name, values } = row.other
  const policy = otherQueue(name).policy(values)
  return simulatePolicy({ ...rest, ...(own ? { queue: own } : {}) }, policy, row.slots)
}
