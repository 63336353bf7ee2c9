/** How Mergeyard may divide its slots into main ones and those for bisections. */

import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { splitOf } from '../../strategies/equal-slots.ts'
import type { TuneAxis } from '../settings/axes.ts'
import { configurationOf } from '../settings/ladders.ts'

/** Returns the axis of all divisions that are searched, of this many slots in all. */
export function splitAxis(slots: number): TuneAxis {
  const bisections = [...new Set([1, 2, 3, Math.floor(slots / 2)])]
  const splits = [{ concurrency: slots, bisectionConcurrency: 1 }]
  splits.push(...bisections.map((each) => splitOf(slots, each)))
  const values = splits.map((split) => ({
    label: `${split.concurrency} and ${split.bisectionConcurrency}`,
    assignments: {
      'queue.concurrency': split.concurrency,
      'queue.bisectionConcurrency': split.bisectionConcurrency,
    },
  }))
  const distinct = values.filter(
    ({ label }, index) => values.findIndex((other) => other.label === label) === index,
  )
  return { name: 'slots', title: 'slots', unit: '', values: distinct }
}

/** True if a queue never has more runs than slots. Without batches it never bisects. */
export function fitsIn(scenario: Scenario, slots: number): boolean {
  const { batch, concurrency, bisectionConcurrency } = configurationOf(scenario)
  if (!batch) return concurrency <= slots
  const bisections = bisectionConcurrency ?? concurrency
  return concurrency + bisections <= Math.max(2, slots)
}
