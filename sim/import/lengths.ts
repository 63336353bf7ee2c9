/** Lengths of runs that nobody has measured, estimated from the size of a change. */

import { rounded } from '../statistics/run-lengths.ts'

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
