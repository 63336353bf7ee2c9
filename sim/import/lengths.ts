/** How long runs take: as measured, or guessed from the size of a change. */

import type { Length } from '../scenario/scenario.ts'

/** What a change of median size is taken to need; the simulator's own default. */
const usualMinutes = 10
const leastMinutes = 5
const mostMinutes = 30

/** Ten times the lines, twice the minutes. */
export function minutesBySize(lines: number, medianLines: number): number {
  const ratio = (lines + 1) / (medianLines + 1)
  const minutes = usualMinutes * 2 ** Math.log10(ratio)
  return rounded(Math.min(mostMinutes, Math.max(leastMinutes, minutes)))
}

export const sizeModel = `no lengths were given, so they follow the size of the change: ${usualMinutes} minutes for the median one, twice as much for ten times the lines, held between ${leastMinutes} and ${mostMinutes}`

/** Lognormal through the median and the 95th percentile; null where nothing was measured. */
export function lengthOf(minutes: readonly number[]): Length | null {
  const known = minutes.filter((each) => each > 0)
  if (known.length === 0) return null
  const median = rounded(percentile(known, 50))
  const p95 = rounded(percentile(known, 95))
  return median > 0 ? { median, p95: Math.max(median, p95) } : null
}

/** By nearest rank; of at least one. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort()
  const rank = Math.max(1, Math.ceil((percent * sorted.length) / 100))
  return sorted[rank - 1] ?? 0
}

/** To a hundredth of a minute: nobody measures lengths finer. */
export function rounded(minutes: number): number {
  return Math.round(minutes * 100) / 100
}
