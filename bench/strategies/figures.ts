/** The figures by which strategies are compared. */

import type { Millis } from '../../engine/index.ts'
import { distributionOf, type Distribution } from '../../sim/result/distribution.ts'
import { runPriceOf, type Prices } from '../../sim/result/price.ts'
import type { Figures } from '../../sim/result/result-document.ts'
import { toMinutes } from '../../sim/scenario/time.ts'

export type ComparedFigures = {
  /** From the first submission to the merge, of merged pull requests (S-241). */
  readonly timeToLandMinutes: Distribution
  /** From the last submission to the merge. */
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
  /** The price of each pull request that landed; null without prices, or if none did (S-244). */
  readonly pricePerLanded: number | null
  /** The maximum number of concurrent runs. */
  readonly peakRuns: number
}

/** The totals of a simulated policy. */
export type PolicyTally = {
  readonly timesInQueue: readonly Millis[]
  readonly timesToLand: readonly Millis[]
  readonly failed: number
  readonly testRuns: number
  readonly testMs: Millis
  readonly healthyEvicted: number
  readonly badMerged: number
  readonly brokenMainMs: Millis
  readonly peakRuns: number
}

/** Returns the figures of a simulated policy. */
export function figuresOfPolicy(tally: PolicyTally, prices: Prices = {}): ComparedFigures {
  const { timesInQueue, timesToLand, testMs, brokenMainMs, ...counts } = tally
  const merged = timesInQueue.length
  const waitedMinutes = toMinutes(timesToLand.reduce((sum, time) => sum + time, 0))
  const costs = { testMinutes: toMinutes(testMs), waitedHours: waitedMinutes / 60 }
  return {
    timeToLandMinutes: distributionOf(timesToLand),
    pricePerLanded: runPriceOf(costs, merged, prices)?.perLanded ?? null,
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
export function figuresOfEngine(figures: Figures): ComparedFigures {
  const { timeToLandMinutes, timeInQueueMinutes, totals, price } = figures
  const { merged, failed, testRuns, testMinutes } = totals
  const { healthyEvicted, badMerged, brokenMainMinutes } = totals
  return {
    timeToLandMinutes,
    timeInQueueMinutes,
    pricePerLanded: price?.perLanded ?? null,
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
