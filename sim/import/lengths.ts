/** Lengths of runs: measured, or estimated from the size of a change. */

import type { Length } from '../scenario/scenario.ts'

/** The assumed length for a change of median size, which is the default of the simulator. */
const usualMinutes = 10
const leastMinutes = 5
const mostMinutes = 30

/** Estimates the minutes of a run: ten times the lines take twice the minutes. */
export function minutesBySize(lines: number, medianLines: number): number {
  const ratio = (lines + 1) / (medianLines + 1)
  const minutes = usualMinutes * 2 ** Math.log10(ratio)
  return rounded(Math.min(mostMinutes, Math.max(leastMinutes, minutes)))
}

export const sizeModel = `lengths of runs are unknown, so they follow the size of the change: ${usualMinutes} minutes for the median change, twice as long for ten times the lines, at least ${leastMinutes} and at most ${mostMinutes}`

/** Returns a lognormal with the median and 95th percentile; null if nothing was measured. */
export function lengthOf(minutes: readonly number[]): Length | null {
  const known = minutes.filter((each) => each > 0)
  if (known.length === 0) return null
  const median = rounded(percentile(known, 50))
  const p95 = rounded(percentile(known, 95))
  return median > 0 ? { median, p95: Math.max(median, p95) } : null
}

/** Returns the percentile by nearest rank; `values` must not be empty. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort()
  const rank = Math.max(1, Math.ceil((percent * sorted.length) / 100))
  return sorted[rank - 1] ?? 0
}

/** Rounds to a hundredth of a minute, which is exact enough for the length of a run. */
export function rounded(minutes: number): number {
  return Math.round(minutes * 100) / 100
}
