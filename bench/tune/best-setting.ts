/**
 * The best setting of a queue in a comparison: by p95 time to land and CI minutes alike, on other
 * seeds than those of the comparison, and with one budget for every queue. All have equal slots.
 */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { usualValues, type OtherQueue } from '../queues/queue.ts'
import { splitOf, withEqualSlots } from '../queues/fair-scenario.ts'
import { configurationOf, laddersOf, otherLadders, type TuneAxis } from './axes.ts'
import { type Candidate, otherCandidates, ownCandidates } from './candidates.ts'
import { preferencesOf } from './figures.ts'
import type { Budget, SettingRunner } from './runner.ts'
import { bestFirst, searched, type Space } from './search.ts'

type BestRequest = {
  readonly scenario: Scenario
  /** Null for Mergeyard. */
  readonly queue: OtherQueue | null
  readonly budget: Budget
  /** The first of the seeds of the search. */
  readonly firstSeed: number
}

export async function bestSetting(
  runner: SettingRunner,
  { scenario, queue, budget, firstSeed }: BestRequest,
): Promise<Candidate> {
  const slots = configurationOf(scenario).concurrency
  const space = spaceOf(scenario, queue, slots)
  const isAllowed = (candidate: Candidate): boolean =>
    candidate.other !== null || fitsIn(candidate.scenario, slots)
  const preferences = preferencesOf('balance', false)
  const options = { budget, firstSeed, isAllowed, preferences, space, hasFinal: false }
  const { tried, today } = await searched(runner, options)
  return bestFirst(tried, 'balance')[0]?.candidate ?? today
}

/** No queue has more runners than slots. */
function spaceOf(scenario: Scenario, queue: OtherQueue | null, slots: number): Space {
  if (queue) {
    const today = { queue, values: usualValues(queue) }
    const axes = otherLadders(today, scenario)
    return { grid: axes, steps: axes, made: otherCandidates(today, scenario, axes, slots) }
  }
  const today = withEqualSlots(scenario)
  const { grid, steps } = laddersOf(today, false)
  const split = (axes: readonly TuneAxis[]): TuneAxis[] => [
    ...axes.filter(({ name }) => name !== 'concurrency' && name !== 'bisection'),
    splitAxis(slots),
  ]
  return { grid: split(grid), steps: split(steps), made: ownCandidates(today, split(steps)) }
}

// How Mergeyard may divide its slots into main ones and those for bisections.

/** Returns the axis of all divisions that are searched, of this many slots in all. */
export function splitAxis(slots: number): TuneAxis {
  const bisections = [...new Set([1, 2, 3, Math.floor(slots / 2)])]
  const splits = [
    { concurrency: slots, bisectionConcurrency: 1 },
    ...bisections.map((each) => splitOf(slots, each)),
  ].map(({ concurrency, bisectionConcurrency }) => ({
    label: `${concurrency} and ${bisectionConcurrency}`,
    assignments: {
      'queue.concurrency': concurrency,
      'queue.bisectionConcurrency': bisectionConcurrency,
    },
  }))
  const values = [...new Map(splits.map((split) => [split.label, split])).values()]
  return { name: 'slots', title: 'slots', unit: '', values }
}

/** True if a queue never has more runs than slots. Without batches it never bisects. */
export function fitsIn(scenario: Scenario, slots: number): boolean {
  const { batch, concurrency, bisectionConcurrency } = configurationOf(scenario)
  if (!batch) return concurrency <= slots
  const bisections = bisectionConcurrency ?? concurrency
  return concurrency + bisections <= Math.max(2, slots)
}
