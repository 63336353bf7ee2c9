/** What strategies are compared by. */

import type { Millis } from '../../engine/index.ts'
import { distributionOf, type Distribution } from '../../sim/result/distribution.ts'
import type { Figures } from '../../sim/result/result-document.ts'
import { toMinutes } from '../../sim/time.ts'

export type ComparedFigures = {
  /** From submission to merge, over the merged. */
  readonly timeInQueueMinutes: Distribution
  readonly merged: number
  readonly failed: number
  readonly testRuns: number
  readonly testMinutes: number
  readonly runsPerMerge: number | null
  readonly minutesPerMerge: number | null
  /** Evicted for their tests, although they do not break. */
  readonly healthyEvicted: number
  /** Merged, and to blame that the branch did not pass. */
  readonly badMerged: number
  readonly brokenMainMinutes: number
  /** The most runs under way at once. */
  readonly peakRuns: number
}

/** The sums that a rehearsed policy leaves. */
export type Tally = {
  readonly timesInQueue: readonly Millis[]
  readonly failed: number
  readonly testRuns: number
  readonly testMs: Millis
  readonly healthyEvicted: number
  readonly badMerged: number
  readonly brokenMainMs: Millis
  readonly peakRuns: number
}

export function figuresOfPolicy(tally: Tally): ComparedFigures {
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

/** The same figures out of the result of the real engine. */
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
