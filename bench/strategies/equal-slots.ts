/** As many slots for Mergeyard as for every other queue, its slots for bisections included. */

import { configurationWith } from '../../engine/index.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'

export type SlotSplit = {
  readonly concurrency: number
  readonly bisectionConcurrency: number
}

/** The share of the slots that is for bisections. */
const bisectionShare = 2 / 5

/**
 * Returns the scenario with Mergeyard's slots divided so that all together are as many as the
 * concurrency. Without batches there is nothing to bisect, and all are main slots.
 */
export function withEqualSlots(scenario: Scenario): Scenario {
  const { concurrency, batch } = configurationWith(scenario.queue)
  if (!batch) return withSlots(scenario, { concurrency, bisectionConcurrency: 1 })
  return withSlots(scenario, splitOf(concurrency, Math.round(bisectionShare * concurrency)))
}

/** Returns a division with so many slots for bisections; each kind has at least one. */
export function splitOf(slots: number, bisections: number): SlotSplit {
  const bisectionConcurrency = Math.max(1, Math.min(slots - 1, bisections))
  return { concurrency: Math.max(1, slots - bisectionConcurrency), bisectionConcurrency }
}

function withSlots(scenario: Scenario, split: SlotSplit): Scenario {
  return { ...scenario, queue: { ...scenario.queue, ...split } }
}
