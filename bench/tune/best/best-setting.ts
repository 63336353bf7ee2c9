/**
 * The best setting of a queue in a comparison: by p95 time to land and CI minutes alike, on other
 * seeds than those of the comparison, and with one budget for every queue. All have equal slots.
 */

import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { usualValues } from '../../queues/parameters.ts'
import type { OtherQueue } from '../../queues/queue.ts'
import { splitOf, withEqualSlots } from '../../queues/fair-scenario.ts'
import { meanScore, wishesOf } from '../figures/wishes.ts'
import type { Budget } from '../search/budget.ts'
import { type SearchOptions, searched } from '../search/halving.ts'
import type { SettingRunner } from '../search/run-settings.ts'
import type { TuneAxis } from '../settings/axes.ts'
import { type Candidate, type CandidateSource, Candidates } from '../settings/candidates.ts'
import { configurationOf, laddersOf } from '../settings/ladders.ts'
import { candidatesOf } from '../settings/nearest.ts'
import { OtherCandidates, otherLadders } from '../settings/other-candidates.ts'

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
  const { axes, made } = queue ? otherSpace(queue, scenario) : ownSpace(scenario, slots)
  const isAllowed = (candidate: Candidate): boolean =>
    candidate.other !== null || fitsIn(candidate.scenario, slots)
  const options: SearchOptions = {
    ...{ budget, firstSeed, isAllowed },
    wishes: wishesOf('balance', false),
    candidates: (most) => candidatesOf(made, axes, { most, isAllowed }).map(within(slots)),
    isOneRound: false,
    moves: null,
    moreRungs: 1,
  }
  const { tried, today } = await searched(runner, options)
  const last = Math.max(0, ...tried.map(({ rung }) => rung))
  const scored = tried
    .filter(({ rung, isTooSlow }) => rung === last && !isTooSlow)
    .map(({ candidate, runs }) => ({ candidate, score: meanScore(runs, 'balance') }))
    .sort((a, b) => a.score - b.score)
  return scored[0]?.candidate ?? today
}

/** Gives another queue no more runners than slots. */
const within =
  (slots: number) =>
  (candidate: Candidate): Candidate => {
    const { other } = candidate
    if (!other) return candidate
    const mostRuns = Math.min(candidate.slots, slots)
    return { ...candidate, other: { ...other, runners: slots }, slots: mostRuns }
  }

type BestSpace = { readonly axes: readonly TuneAxis[]; readonly made: CandidateSource }

function ownSpace(scenario: Scenario, slots: number): BestSpace {
  const today = withEqualSlots(scenario)
  const others = laddersOf(today).filter(({ name }) => name !== 'concurrency')
  const axes = [...others, splitAxis(slots)]
  return { axes, made: new Candidates(today, axes) }
}

function otherSpace(queue: OtherQueue, scenario: Scenario): BestSpace {
  const usual = usualValues(queue)
  const axes = otherLadders(queue, scenario, usual)
  return { axes, made: new OtherCandidates(queue, scenario, usual, axes) }
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
