/** What a scenario expects of its run. */

import type { PullRequestState } from '../../engine/index.ts'

/** An exact number, or bounds. */
export type Bound = number | { readonly min?: number; readonly max?: number }

/** Where the result of a run has each figure that can be expected. What a path holds is added up. */
export const boundedFigures = [
  ['testRuns', 'totals.testRuns'],
  ['bisectionRuns', 'totals.bisectionRuns'],
  ['cancelledRuns', 'totals.cancelledRuns'],
  ['runsSaved', 'totals.runsSaved'],
  ['restarts', 'totals.restarts'],
  ['testMinutes', 'totals.testMinutes'],
  ['healthyEvicted', 'totals.healthyEvicted'],
  ['clashed', 'totals.clashed'],
  ['badMerged', 'totals.badMerged'],
  ['mergedByQuarantine', 'totals.quarantine.merges'],
  ['breaksInQuarantine', 'totals.quarantine.breaks'],
  ['laneClashes', 'totals.laneClashes'],
  ['brokenMainMinutes', 'totals.brokenMainMinutes'],
  ['cameAgain', 'totals.cameAgain'],
  ['unprovenMerges', 'totals.unprovenMerges'],
  ['peakMainRuns', 'totals.peakMainRuns'],
  ['peakBisectionRuns', 'totals.peakBisectionRuns'],
  ['runsPerMerge', 'runsPerMerge'],
  ['meanTimeInQueueMinutes', 'timeInQueueMinutes.mean'],
  ['p50TimeInQueueMinutes', 'timeInQueueMinutes.p50'],
  ['p95TimeInQueueMinutes', 'timeInQueueMinutes.p95'],
  ['p99TimeInQueueMinutes', 'timeInQueueMinutes.p99'],
  ['maxTimeInQueueMinutes', 'timeInQueueMinutes.max'],
  ['p50TimeToLandMinutes', 'timeToLandMinutes.p50'],
  ['p95TimeToLandMinutes', 'timeToLandMinutes.p95'],
  ['p99TimeToLandMinutes', 'timeToLandMinutes.p99'],
  ['maxTimeToLandMinutes', 'timeToLandMinutes.max'],
  ['meanWaitMinutes', 'waitMinutes.mean'],
  ['p95WaitMinutes', 'waitMinutes.p95'],
  ['maxWaitMinutes', 'waitMinutes.max'],
  ['endedAtMinutes', 'endedAtMinutes'],
] as const

export type BoundedFigure = (typeof boundedFigures)[number][0]

export type Expect = {
  readonly merged?: readonly number[] | Bound
  readonly failed?: readonly number[] | Bound
  readonly cancelled?: readonly number[] | Bound
  readonly mergeOrder?: readonly number[]
  readonly maxTestRuns?: number
  readonly states?: readonly ExpectedState[]
  /** All events of a type, in order. */
  readonly events?: Readonly<Record<string, readonly Happening[]>>
  /** All refused commands, in order: their fields, and those of the refusal. */
  readonly refused?: readonly Happening[]
} & { readonly [Figure in BoundedFigure]?: Bound }

/** Some fields of what happens, with their values. */
export type Happening = Readonly<Record<string, unknown>>

type ExpectedState = {
  readonly at: number
  readonly number: number
  readonly is: PullRequestState
}

/** Returns whether an expectation lists pull requests, instead of giving a count or bounds. */
export function isList(expected: unknown): expected is readonly number[] {
  return Array.isArray(expected)
}
