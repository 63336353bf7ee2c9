/**
 * The result of a run, as the command line prints it. Times are minutes from the start. It contains
 * no wall-clock time and no path, so the same scenario and seed give the same bytes on any machine.
 */

import type { PullRequestState, Reason, Millis } from '../../engine/index.ts'
import type { PropertyResult } from '../observe/findings.ts'
import { nearestRank } from '../../server/terminal/percentile.ts'
import { toMinutes } from '../scenario/time.ts'
import type { LaneClash } from './lane-clashes.ts'
import type { RunPrice } from './price.ts'
import type { UnprovenMerges, Waste } from './unproven-merges.ts'

export type ResultDocument = {
  readonly scenario: string
  readonly seed: number
  readonly traceHash: string
  readonly endedAtMinutes: number
  readonly mergeOrder: readonly number[]
  readonly pullRequests: readonly PullRequestResult[]
  readonly testRuns: readonly TestRunResult[]
  readonly totals: Totals
  /** From the last submission to the merge, over all merged pull requests. */
  readonly timeInQueueMinutes: Distribution
  /** From the first submission to the merge, over all merged pull requests (S-241). */
  readonly timeToLandMinutes: Distribution
  /** From submission to the first test run. */
  readonly waitMinutes: Distribution
  readonly runsPerMerge: number | null
  readonly laneClashes: readonly LaneClash[]
  readonly theory: { readonly runsLowerBound: number }
  /** Only if the scenario gives a price. */
  readonly price?: RunPrice
  readonly properties: readonly PropertyResult[]
  readonly expectations: readonly Expectation[]
}

/** The times are those of the last submission. */
export type PullRequestResult = {
  readonly number: number
  readonly state: PullRequestState
  readonly reason: Reason | null
  readonly submittedAt: number
  readonly startedAt: number | null
  readonly concludedAt: number | null
  /** The test runs that tested it, over all submissions. */
  readonly testRuns: number
  /** How often it went back to PENDING, over all submissions. */
  readonly restarts: number
}

/** `finishedAt` and `outcome` are null only if the engine threw during the run. */
export type TestRunResult = {
  readonly id: number
  readonly kind: 'main' | 'bisection' | 'tip'
  readonly base: readonly number[]
  readonly tested: readonly number[]
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly outcome: 'passed' | 'failed' | 'cancelled' | 'errored' | 'timed_out' | null
  readonly flaked: boolean
}

export type Totals = {
  readonly merged: number
  readonly failed: number
  readonly cancelled: number
  /** Those that are still in the queue at the end; only if there are some. */
  readonly waiting?: number
  readonly testRuns: number
  readonly bisectionRuns: number
  readonly cancelledRuns: number
  readonly runsSaved: number
  readonly restarts: number
  readonly testMinutes: number
  readonly healthyEvicted: number
  /** Pull requests that FAILED because they break together with one that came first. */
  readonly clashed: number
  readonly badMerged: number
  readonly laneClashes: number
  readonly brokenMainMinutes: number
  /** Pull requests that left the queue without merging and were submitted again. */
  readonly cameAgain: number
  /** The sum of the times to land, in hours. */
  readonly waitedHours: number
  readonly peakMainRuns: number
  readonly peakBisectionRuns: number
  /** Of all kinds together, those of the branch by itself included. */
  readonly peakRuns: number
  readonly unprovenMerges: UnprovenMerges
  /** Only if the scenario has a quarantine. */
  readonly quarantine?: QuarantinePrice
  readonly wastedMinutes: Waste
}

/**
 * The pull requests of the run, one that came again after its merge anew; or its submissions, where
 * each of those counts.
 */
export function everyone({ merged, failed, cancelled, waiting = 0 }: Totals): number {
  return merged + failed + cancelled + waiting
}

/** What a quarantine has spared and cost (S-351). */
export type QuarantinePrice = {
  /** Pull requests that merged by a run in which only tests in quarantine failed. */
  readonly merges: number
  /** Merged pull requests because of which such tests fail on the branch, and no others. */
  readonly breaks: number
}

export type Expectation = {
  readonly name: string
  readonly expected: unknown
  readonly actual: unknown
  readonly holds: boolean
}

/** The lists that grow with the number of pull requests. */
export type Lists = Pick<ResultDocument, 'mergeOrder' | 'pullRequests' | 'testRuns'>

/** The measured values, without the lists. */
export type Figures = Omit<ResultDocument, keyof Lists | 'properties' | 'expectations'>

// Mean, percentiles and maximum of durations.

/** All values are minutes; null if there are no durations. */
export type Distribution = {
  readonly mean: number | null
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly max: number | null
}

const empty: Distribution = { mean: null, p50: null, p95: null, p99: null, max: null }

/** The mean is rounded to 1 ms. */
export function distributionOf(times: readonly Millis[]): Distribution {
  if (times.length === 0) return empty
  const sorted = Float64Array.from(times).sort()
  const sum = sorted.reduce((total, time) => total + time, 0)
  const percentile = (percent: number): number => toMinutes(nearestRank(sorted, percent))
  return {
    mean: toMinutes(Math.round(sum / sorted.length)),
    p50: percentile(50),
    p95: percentile(95),
    p99: percentile(99),
    max: percentile(100),
  }
}
