/** What several seeds tell about the mean of a figure. */

import { sequenceOf } from '../random/draw.ts'

// The mean of numbers, with the ends of its interval by Student's t.

/** The confidence level of a single interval. */
export const usualConfidence = 0.95

/** The mean of at least one number. Adds in the given order, so that equal input gives equal bytes. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The least and the greatest of at least one number, however many there are. */
export function boundsOf(values: readonly number[]): {
  readonly least: number
  readonly most: number
} {
  let [least, most] = [Infinity, -Infinity]
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)]
  return { least, most }
}

/** The standard error of the mean; 0 for a single number. */
export function standardErrorOf(values: readonly number[]): number {
  const n = values.length
  const mean = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n)
}

export type MeanAndEnds = { readonly mean: number; readonly low: number; readonly high: number }

/**
 * The mean plus and minus t standard errors (Student). Both ends are the mean if there is only one
 * number or all are alike, so show it only by way of an `Interval`.
 */
export function studentEnds(values: readonly number[], confidence = usualConfidence): MeanAndEnds {
  const mean = meanOf(values)
  const error = standardErrorOf(values)
  const half = error === 0 ? 0 : error * studentQuantile((1 + confidence) / 2, values.length - 1)
  return { mean, low: mean - half, high: mean + half }
}

// Student's t distribution, for confidence intervals at any level.

/**
 * Returns the quantile of Student's t distribution: the `t` below which a share `p` of the
 * distribution lies. `p` is between 0 and 1, both excluded.
 */
export function studentQuantile(p: number, degrees: number): number {
  if (p < 0.5) return -studentQuantile(1 - p, degrees)
  let [low, high] = [0, 1]
  while (studentShare(high, degrees) < p) [low, high] = [high, 2 * high]
  for (let middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (studentShare(middle, degrees) < p) low = middle
    else high = middle
  }
  return high
}

/** Returns the distribution function of Student's t: the share of the distribution below `t`. */
export function studentShare(t: number, degrees: number): number {
  if (t < 0) return 1 - studentShare(-t, degrees)
  const x = degrees / (degrees + t * t)
  return 1 - incompleteBeta(x, degrees / 2, 1 / 2) / 2
}

/** The regularised incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The continued fraction converges fast on this side only. The other side follows by symmetry.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const factor = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x),
  )
  return (factor / a) * betaFraction(x, a, b)
}

const mostTerms = 500
const tiny = 1e-300
const close = 1e-15

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  const safe = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / safe(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= mostTerms; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / safe(1 + even * d)
    c = safe(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / safe(1 + odd * d)
    c = safe(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < close) break
  }
  return fraction
}

/** Lanczos's coefficients for g = 7. */
const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const sum = lanczos.reduce(
    (soFar, coefficient, index) => soFar + coefficient / (x + index),
    0.9999999999998099,
  )
  const t = x + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

// Bootstrap-t: how far the mean of a sample is from the true mean, in standard errors, learnt from
// resamples of the sample (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 12).

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

/**
 * `always`: every seed gave this value, so nothing is known of other values. `seen`: too few seeds
 * for an interval; only the range that they gave. `interval`: the mean with its confidence interval.
 */
export type Interval =
  | { readonly kind: 'always'; readonly value: number; readonly seeds: number }
  | {
      readonly kind: 'seen'
      readonly mean: number
      readonly least: number
      readonly most: number
      readonly seeds: number
    }
  | {
      readonly kind: 'interval'
      readonly mean: number
      readonly low: number
      readonly high: number
      readonly seeds: number
    }

/** With fewer seeds, too many intervals of a skewed figure miss the mean. */
export const fewestForInterval = 10

/** With more seeds, means are hardly skewed, and bootstrap-t would say the same as Student's t. */
export const mostForBootstrap = 1000

/** No end is further from the mean than this many times Student's t. */
const widest = 3

/**
 * Returns the mean of at least one figure, none of them negative, with its 95 % interval: at each
 * end the wider of Student's t and bootstrap-t, at most three times Student's t. Student's t alone
 * misses means of skewed figures too often, nearly always by an interval below them, until there are
 * very many seeds.
 */
export function intervalOf(values: readonly number[]): Interval {
  const seeds = values.length
  const early = withoutInterval(values, fewestForInterval)
  if (early) return early
  const [mean, error] = [meanOf(values), standardErrorOf(values)]
  const t = studentQuantile(0.975, seeds - 1)
  const drawn = (seeds > mostForBootstrap ? null : bootstrapT(values)) ?? { low: -t, high: t }
  const above = clamped(-drawn.low, t)
  const below = clamped(drawn.high, t)
  // The mean of figures that cannot be negative is not negative.
  const floor = Math.min(0, boundsOf(values).least)
  const low = Math.max(floor, mean - below * error)
  return { kind: 'interval', mean, low, high: mean + above * error, seeds }
}

const clamped = (errors: number, t: number): number => Math.min(widest * t, Math.max(t, errors))

/** Returns what is known without an interval; null if the values allow one. */
export function withoutInterval(values: readonly number[], fewest: number): Interval | null {
  const seeds = values.length
  const { least, most } = boundsOf(values)
  if (seeds > 1 && least === most) return { kind: 'always', value: least, seeds }
  return seeds < fewest ? { kind: 'seen', mean: meanOf(values), least, most, seeds } : null
}

/** The mean, however much is known about it. */
export function centreOf(interval: Interval): number {
  return interval.kind === 'always' ? interval.value : interval.mean
}

/** The line of a chart: as long as the interval, and without length where there is none. */
export function lineOf(interval: Interval): { readonly low: number; readonly high: number } {
  const centre = centreOf(interval)
  return interval.kind === 'interval' ? endsOf(interval) : { low: centre, high: centre }
}

/** The lowest and the highest value to show: the interval, the range seen, or the value itself. */
export function endsOf(interval: Interval): { readonly low: number; readonly high: number } {
  switch (interval.kind) {
    case 'always':
      return { low: interval.value, high: interval.value }
    case 'seen':
      return { low: interval.least, high: interval.most }
    case 'interval':
      return { low: interval.low, high: interval.high }
  }
}
