/** The length of a test run as its median and its 95th percentile. */

import { scenarioDefaults, type Length, type Scenario } from '../../../../sim/scenario/scenario.ts'

export type MedianAndP95 = { readonly median: number; readonly p95: number }

export function lengthOf({ suite }: Scenario): MedianAndP95 {
  const { median, p95 } = shapeOf(suite?.minutes ?? scenarioDefaults.suiteMinutes)
  return { median: rounded(median), p95: rounded(p95) }
}

export function withLength(scenario: Scenario, minutes: MedianAndP95): Scenario {
  return { ...scenario, suite: { ...scenario.suite, minutes } }
}

function shapeOf(length: Length): MedianAndP95 {
  if (typeof length === 'number') return { median: length, p95: length }
  if ('median' in length) return length
  if ('uniform' in length) {
    const [from, to] = length.uniform
    return { median: (from + to) / 2, p95: from + 0.95 * (to - from) }
  }
  return { median: length.exponential * Math.LN2, p95: length.exponential * Math.log(20) }
}

function rounded(minutes: number): number {
  return Math.round(minutes * 10) / 10
}
