/** The figures by which strategies are compared. */

import type { Millis } from '../../engine/index.ts'
import { distributionOf, type Distribution } from '../../sim/result/distribution.ts'
import type { Figures } from '../../sim/result/result-document.ts'
import { toMinutes } from '../../sim/scenario/time.ts'

export type ComparedFigures = {
  /** From submission to merge, of merged pull requests. */
  readonly timeInQueueMinutes: Distribution
  readonly merged: number
  readonly failed: number
  readonly testRuns: number
  readonly testMinutes: number
  readonly runsPerMerge: number | null
  readonly minutesPerMerge: number | null
  /** Pull requests that were evicted for failed tests although they do not break. */
  readonly healthyEvicted: number
  /** Merged pull requests that broke the branch. */
  readonly badMerged: number
  readonly brokenMainMinutes: number
  /** The maximum number of concurrent runs. */
  readonly peakRuns: number
}

/** The totals of a simulated policy. */
export type PolicyTally = {
  readonly timesInQueue: readonly Millis[]
  readonly failed: number
  readonly testRuns: number
  readonly testMs: Millis
  readonly healthyEvicted: number
  readonly badMerged: number
  readonly brokenMainMs: Millis
  readonly peakRuns: number
}

/** Returns the figures of a simulated policy. */
export function figuresOfPolicy(tally: PolicyTally): ComparedFigures {
  const { timesInQueue, testMs, brokenMainMs, ...counts } = tally
  const merged = timesInQueue.length
  return {
    timeInQueueMinutes: distributionOf(timesInQueue),
    merged,
    testMinutes: toMinutes(testMs),
    brokenMainMinutes: toMinutes(brokenMainMs),
    runsPerMerge: perMerge(tally.testRuns, merged),
    minutesPerMerge: perMerge(toMinutes(testMs), merged),
    ...counts,
  }
}

/** Returns the same figures from the result of the real engine. */
export function figuresOfEngine({ timeInQueueMinutes, totals }: Figures): ComparedFigures {
  const { merged, failed, testRuns, testMinutes } = totals
  const { healthyEvicted, badMerged, brokenMainMinutes } = totals
  return {
    timeInQueueMinutes,
    merged,
    failed,
    testRuns,
    testMinutes,
    runsPerMerge: perMerge(testRuns, merged),
    minutesPerMerge: perMerge(testMinutes, merged),
    healthyEvicted,
    badMerged,
    brokenMainMinutes,
    peakRuns: totals.peakMainRuns + totals.peakBisectionRuns,
  }
}

function perMerge(sum: number, merged: number): number | null {
  return merged === 0 ? null : sum / merged
}
