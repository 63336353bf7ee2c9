/**
 * The best setting of a queue in a comparison: by p95 time to land and CI minutes alike, on other
 * seeds than those of the comparison, and with one budget for every queue. All have equal slots.
 */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { splitOf, withEqualSlots } from '../queues/fair-scenario.ts'
import { usualValues } from '../queues/parameters.ts'
import type { OtherQueue } from '../queues/queue.ts'
import { type Ladders, type TuneAxis, configurationOf, laddersOf } from './axes.ts'
import { type Candidate, type CandidateSource, Candidates } from './candidates.ts'
import { wishesOf } from './figures.ts'
import { OtherCandidates, otherLadders } from './other-candidates.ts'
import type { Budget, SettingRunner } from './runner.ts'
import { bestFirst, searched } from './search.ts'

export type BestRequest = {
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
  const { ladders, made } = queue ? otherSpace(queue, scenario, slots) : ownSpace(scenario, slots)
  const isAllowed = (candidate: Candidate): boolean =>
    candidate.other !== null || fitsIn(candidate.scenario, slots)
  const wishes = wishesOf('balance', false)
  const options = { budget, firstSeed, isAllowed, wishes, made, ladders, hasFinal: false }
  const { tried, today } = await searched(runner, options)
  return bestFirst(tried, 'balance')[0]?.candidate ?? today
}

type BestSpace = { readonly ladders: Ladders; readonly made: CandidateSource }

function ownSpace(scenario: Scenario, slots: number): BestSpace {
  const today = withEqualSlots(scenario)
  const { grid, steps } = laddersOf(today, false)
  const split = (axes: readonly TuneAxis[]): TuneAxis[] => [
    ...axes.filter(({ name }) => name !== 'concurrency' && name !== 'bisection'),
    splitAxis(slots),
  ]
  const ladders = { grid: split(grid), steps: split(steps) }
  return { ladders, made: new Candidates(today, ladders.steps) }
}

/** Gives another queue no more runners than slots. */
function otherSpace(queue: OtherQueue, scenario: Scenario, slots: number): BestSpace {
  const usual = usualValues(queue)
  const axes = otherLadders(queue, scenario, usual)
  const made = new OtherCandidates(queue, scenario, usual, axes, slots)
  return { ladders: { grid: axes, steps: axes }, made }
}

// How Mergeyard may divide its slots into main ones and those for bisections.

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
