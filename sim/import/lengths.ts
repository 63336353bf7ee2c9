/** Lengths of runs: measured, or estimated from the size of a change. */

import { percentile } from '../../server/terminal/percentile.ts'
import type { Length } from '../scenario/scenario.ts'

/** The assumed length for a change of median size, which is the default of the simulator. */
export const usualMinutes = 10

/**
 * Estimates the minutes of a run: ten times the size takes twice the minutes, from half of the
 * median change's to three times.
 */
export function minutesBySize(size: number, median: { size: number; minutes: number }): number {
  const ratio = (size + 1) / (median.size + 1)
  const factor = Math.min(3, Math.max(0.5, 2 ** Math.log10(ratio)))
  return rounded(median.minutes * factor)
}

/** Returns a lognormal with the median and 95th percentile; null if nothing was measured. */
export function lengthOf(minutes: readonly number[]): Length | null {
  const known = minutes.filter((each) => each > 0)
  if (known.length === 0) return null
  const median = rounded(percentile(known, 50))
  const p95 = rounded(percentile(known, 95))
  return median > 0 ? { median, p95: Math.max(median, p95) } : null
}

/** Rounds to a hundredth of a minute, which is exact enough for the length of a run. */
export function rounded(minutes: number): number {
  return Math.round(minutes * 100) / 100
}
