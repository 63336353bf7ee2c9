/** The correction for several comparisons at once, by the method of Holm. */

import { intervalOf } from '../../statistics/interval.ts'

const usualConfidence = 0.95

/**
 * Returns the confidence level for each series so that all conclusions hold together with 95 %. The
 * surest effect has the widest interval; when one contains zero, all that follow have its level.
 */
export function holmConfidences(series: readonly (readonly number[])[]): number[] {
  const order = series
    .map((values, index) => ({ values, index, sureness: surenessOf(values) }))
    .toSorted((a, b) => b.sureness - a.sureness)
  const levels = series.map(() => usualConfidence)
  let isStopped = false
  let level = usualConfidence
  for (const [position, { values, index }] of order.entries()) {
    if (!isStopped) level = 1 - (1 - usualConfidence) / (order.length - position)
    levels[index] = level
    const { low, high } = intervalOf(values, level)
    isStopped ||= low <= 0 && high >= 0
  }
  return levels
}

/** The mean in standard errors. */
function surenessOf(values: readonly number[]): number {
  const { mean, high } = intervalOf(values)
  return high === mean ? (mean === 0 ? 0 : Infinity) : Math.abs(mean) / (high - mean)
}
