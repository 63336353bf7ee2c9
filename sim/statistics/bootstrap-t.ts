/**
 * Bootstrap-t: how far the mean of a sample is from the true mean, in standard errors, learnt from
 * resamples of the sample (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 12).
 */

import { sequenceOf } from '../random/draw.ts'
import { meanOf, standardErrorOf } from './mean.ts'

/** One less than a thousand, so that the 25th and the 975th are the 2.5 % and 97.5 % quantiles. */
const resamples = 999

/**
 * Returns the 2.5 % and the 97.5 % quantile of (mean of a resample - mean) / standard error of the
 * resample. Resamples of which all values are alike have no standard error and are left out.
 * Returns null if the values are alike. The draws are keyed, so the same values give the same ends.
 */
export function bootstrapT(
  values: readonly number[],
): { readonly low: number; readonly high: number } | null {
  const n = values.length
  const mean = meanOf(values)
  if (standardErrorOf(values) === 0) return null
  // Deviations from the mean keep the sums of squares exact.
  const deviations = Float64Array.from(values, (value) => value - mean)
  const picks = picksFor(n)
  const found: number[] = []
  for (let start = 0; start < picks.length; start += n) {
    let [sum, squares] = [0, 0]
    const first = deviations[picks[start] ?? 0] ?? 0
    let areAlike = true
    for (let position = start; position < start + n; position++) {
      const value = deviations[picks[position] ?? 0] ?? 0
      sum += value
      squares += value * value
      areAlike &&= value === first
    }
    const variance = (squares - (sum * sum) / n) / (n - 1)
    if (!areAlike && variance > 0) found.push(sum / n / Math.sqrt(variance / n))
  }
  const sorted = Float64Array.from(found).sort()
  return { low: quantileOf(sorted, 0.025), high: quantileOf(sorted, 0.975) }
}

/** The value at rank p (n + 1), between two ranks in proportion. */
export function quantileOf(sorted: ArrayLike<number>, p: number): number {
  const rank = Math.min(sorted.length, Math.max(1, p * (sorted.length + 1)))
  const below = sorted[Math.floor(rank) - 1] ?? NaN
  const above = sorted[Math.ceil(rank) - 1] ?? NaN
  return below + (rank - Math.floor(rank)) * (above - below)
}

/** The drawn positions of all resamples of `n` values, one resample after the other. */
const known = new Map<number, Uint32Array>()

function picksFor(n: number): Uint32Array {
  const found = known.get(n)
  if (found) return found
  const next = sequenceOf(1, `resamples of ${n}`)
  const picks = Uint32Array.from({ length: resamples * n }, () => Math.floor(next() * n))
  known.set(n, picks)
  return picks
}
