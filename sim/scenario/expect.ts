/** What a scenario expects of its run. */

import type { PullRequestState } from '../../engine/index.ts'

/** An exact number, or bounds. */
export type Bound = number | { readonly min?: number; readonly max?: number }

export const boundedFigures = [
  'testRuns',
  'bisectionRuns',
  'cancelledRuns',
  'runsSaved',
  'restarts',
  'testMinutes',
  'healthyEvicted',
  'clashed',
  'badMerged',
  'mergedByQuarantine',
  'breaksInQuarantine',
  'laneClashes',
  'brokenMainMinutes',
  'cameAgain',
  'unprovenMerges',
  'peakMainRuns',
  'peakBisectionRuns',
  'runsPerMerge',
  'meanTimeInQueueMinutes',
  'p50TimeInQueueMinutes',
  'p95TimeInQueueMinutes',
  'p99TimeInQueueMinutes',
  'maxTimeInQueueMinutes',
  'p50TimeToLandMinutes',
  'p95TimeToLandMinutes',
  'p99TimeToLandMinutes',
  'maxTimeToLandMinutes',
  'meanWaitMinutes',
  'p95WaitMinutes',
  'maxWaitMinutes',
  'endedAtMinutes',
] as const

export type BoundedFigure = (typeof boundedFigures)[number]

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
