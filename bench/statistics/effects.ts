/** The difference or the ratio of two paired series, whether it is worth acting on, and how it is told. */

import {
  endsOf,
  withoutInterval,
  type Interval,
  studentEnds,
  usualConfidence,
  meanOf,
  fewestForInterval,
  standardErrorOf,
  studentQuantile,
  studentShare,
} from '../../sim/statistics/interval.ts'
import { count, rounded } from '../../server/terminal/text.ts'

// The difference of two paired series, in their own unit.

/** With fewer pairs there is no interval of a difference. */
export const fewestPairs = 5

/**
 * Returns the mean difference `a - b`, pair by pair, with Student's t. Pairs with a missing number
 * do not count. Returns null if no pair is left.
 */
export function differenceOf(
  a: readonly (number | null)[],
  b: readonly (number | null)[],
  confidence = usualConfidence,
): Interval | null {
  return effectOf(pairedCounts(a, b), confidence)?.size ?? null
}

/** The interval of paired values by Student's t, which holds for them: pairing removes the skew. */
function pairedInterval(values: readonly number[], confidence: number): Interval {
  const seeds = values.length
  const early = withoutInterval(values, fewestPairs)
  return early ?? { kind: 'interval', ...studentEnds(values, confidence), seeds }
}

/** Returns the pairs of which neither number is missing. */
function pairsOf(
  a: readonly (number | null)[],
  b: readonly (number | null)[],
): (readonly [number, number])[] {
  return a.flatMap((value, index) => {
    const other = b[index] ?? null
    return value === null || other === null ? [] : [[value, other] as const]
  })
}

/**
 * Returns the confidence level that each of several intervals needs so that all of them hold
 * together with 95 % (Bonferroni correction).
 */
export function jointConfidence(comparisons: number): number {
  return 1 - (1 - usualConfidence) / Math.max(1, comparisons)
}

/** `cannot tell`: the difference is not significant. */
export type Comparison = 'less' | 'more' | 'cannot tell' | 'the same'

/** With fewer pairs, all differences have the same sign by chance too often. */
const fewestForSign = 6

/** Returns whether a difference is significant: its interval must not contain zero. */
export function readingOf(difference: Interval): Comparison {
  const { low, high } = endsOf(difference)
  if (low === 0 && high === 0) return 'the same'
  if (difference.kind === 'seen' || difference.seeds < fewestForSign) return 'cannot tell'
  if (high < 0) return 'less'
  return low > 0 ? 'more' : 'cannot tell'
}

// The ratio of two paired series, which says the same in minutes, hours and days.

/** The paired values of a comparison on the scale on which Student's t holds. */
export type Paired = {
  /** `ratio`: the values are logarithms of `a / b`. `difference`: they are `a - b`. */
  readonly measure: 'ratio' | 'difference'
  readonly values: readonly number[]
  /** The mean of `b`; null if no pair is left. */
  readonly of: number | null
}

/** How `a` compares with `b`: 0.55 as a ratio, -68 as a difference. */
export type Effect = { readonly measure: Paired['measure']; readonly size: Interval }

/**
 * Pairs two series as logarithms of their ratios: their differences are skewed much less than those
 * of minutes. A number that is not above zero has no logarithm; then all pairs are differences.
 * Pairs with a missing number do not count.
 */
export function pairedRatios(a: readonly (number | null)[], b: readonly (number | null)[]): Paired {
  const pairs = pairsOf(a, b)
  if (pairs.some(([one, other]) => one <= 0 || other <= 0)) return pairedCounts(a, b)
  return {
    measure: 'ratio',
    values: pairs.map(([one, other]) => Math.log(one / other)),
    of: pairs.length === 0 ? null : meanOf(pairs.map(([, other]) => other)),
  }
}

/** Pairs two series of counts, such as evictions, as differences: zero is a usual count. */
export function pairedCounts(a: readonly (number | null)[], b: readonly (number | null)[]): Paired {
  const pairs = pairsOf(a, b)
  return {
    measure: 'difference',
    values: pairs.map(([one, other]) => one - other),
    of: pairs.length === 0 ? null : meanOf(pairs.map(([, other]) => other)),
  }
}

/** Returns the ratio `a / b`, or the difference if a side is zero; null if no pair is left. */
export function ratioOf(
  a: readonly (number | null)[],
  b: readonly (number | null)[],
  confidence = usualConfidence,
): Effect | null {
  return effectOf(pairedRatios(a, b), confidence)
}

/** Returns the effect with its interval by Student's t; null if there is no pair. */
export function effectOf({ measure, values }: Paired, confidence = usualConfidence): Effect | null {
  if (values.length === 0) return null
  const size = pairedInterval(values, confidence)
  return { measure, size: measure === 'ratio' ? mapped(size, Math.exp) : size }
}

/** Applies an increasing function to a mean and its ends. */
function mapped(interval: Interval, to: (value: number) => number): Interval {
  const { seeds } = interval
  switch (interval.kind) {
    case 'always':
      return { kind: 'always', value: to(interval.value), seeds }
    case 'seen': {
      const { mean, least, most } = interval
      return { kind: 'seen', mean: to(mean), least: to(least), most: to(most), seeds }
    }
    case 'interval': {
      const { mean, low, high } = interval
      return { kind: 'interval', mean: to(mean), low: to(low), high: to(high), seeds }
    }
  }
}

// Whether an effect is worth acting on: it must surely be larger than the least effect.

/** An effect below this share is no reason to change, unless another one is set. */
const leastEffect = 0.1

/**
 * `do`: surely less by at least the least effect. `do not`: surely more. `no difference`: surely
 * within the least effect. `cannot tell`: about so many more seeds would; null if no number of
 * seeds that anybody would run.
 */
export type EffectVerdict =
  | { readonly kind: 'do' | 'do not' | 'no difference' }
  | { readonly kind: 'cannot tell'; readonly moreSeeds: number | null }

export type JudgedEffect = { readonly effect: Effect | null; readonly verdict: EffectVerdict }

/**
 * Judges the effects of several comparisons in which less is better. All that are judged `do` or
 * `do not` are right together with 95 % (Holm's correction of the p-values of "the effect is within
 * the least effect"). The intervals have the corrected level, so that they agree with the verdicts.
 */
export function judgedTogether(all: readonly Paired[], least = leastEffect): JudgedEffect[] {
  const levels = holm(all.map((paired) => pValueOf(paired, least)))
  return all.map((paired, index) => {
    const confidence = levels[index] ?? 1
    return {
      effect: effectOf(paired, confidence),
      verdict: verdictOf(paired, { least, confidence }),
    }
  })
}

type Limits = { readonly low: number; readonly high: number }

/** A count with a mean below this is compared with this, in its own unit. */
const leastCount = 1

/** The least effect below and above, on the scale of the values. */
export function limitsOf({ measure, of }: Paired, least: number): Limits {
  if (measure === 'ratio') return { low: Math.log(1 - least), high: Math.log(1 + least) }
  const size = least * Math.max(leastCount, of ?? 0)
  return { low: -size, high: size }
}

/** The two-sided p-value of Student's t for a mean within the least effect. */
export function pValueOf(paired: Paired, least: number): number {
  const { values } = paired
  if (values.length < 2) return 1
  const { low, high } = limitsOf(paired, least)
  const [mean, error] = [meanOf(values), standardErrorOf(values)]
  const beyond = Math.max(low - mean, mean - high)
  if (beyond <= 0) return 1
  return error === 0 ? 0 : 2 * (1 - studentShare(beyond / error, values.length - 1))
}

function verdictOf(
  paired: Paired,
  { least, confidence }: { readonly least: number; readonly confidence: number },
): EffectVerdict {
  const limits = limitsOf(paired, least)
  const found = effectOf({ ...paired, measure: 'difference' }, confidence)?.size
  if (!found) return { kind: 'cannot tell', moreSeeds: fewestForInterval }
  const { low, high } = endsOf(found)
  if (low === 0 && high === 0) return { kind: 'no difference' }
  // Where nothing is drawn, more seeds would say the same, and nothing about other days.
  if (found.kind === 'always') return { kind: 'cannot tell', moreSeeds: null }
  if (found.seeds < fewestForInterval) {
    return { kind: 'cannot tell', moreSeeds: fewestForInterval - found.seeds }
  }
  if (high < limits.low) return { kind: 'do' }
  if (low > limits.high) return { kind: 'do not' }
  if (low >= limits.low && high <= limits.high) return { kind: 'no difference' }
  return { kind: 'cannot tell', moreSeeds: moreSeedsFor(paired.values, { limits, confidence }) }
}

/** Nobody would run more seeds to decide. */
const mostMoreSeeds = 5000

/**
 * Returns about how many more seeds narrow the interval until it no longer contains the nearest
 * limit, if mean and spread stay as they are; rounded up to tens.
 */
function moreSeedsFor(
  values: readonly number[],
  { limits, confidence }: { readonly limits: Limits; readonly confidence: number },
): number | null {
  const n = values.length
  const mean = meanOf(values)
  const distance = Math.min(Math.abs(mean - limits.low), Math.abs(mean - limits.high))
  const half = standardErrorOf(values) * studentQuantile((1 + confidence) / 2, n - 1)
  const more = Math.max(10, 10 * Math.ceil((n * (half / distance) ** 2 - n) / 10))
  return more <= mostMoreSeeds ? more : null
}

// The correction for several comparisons at once (Holm 1979).

const alpha = 0.05

/**
 * Returns for each p-value the confidence level of the interval to show: it excludes the null hypothesis if and only
 * if the comparison is significant, so that no conclusion of all is wrong with probability 1 - `alpha`. The least of m
 * p-values is compared with alpha / m, the next with alpha / (m - 1), until one is too large; that one and all that
 * follow are not significant.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p)
  const stop = order.findIndex(({ p }, rank) => p > alpha / (order.length - rank))
  const significant = stop === -1 ? order.length : stop
  const levels: number[] = []
  for (const [rank, { index }] of order.entries()) {
    levels[index] = 1 - alpha / (order.length - Math.min(rank, significant))
  }
  return levels
}

// Formats figures and their intervals as text.

/** Formats with about three digits: `1,935`, `83`, `25.9`, `0.63`. Independent of the locale. */
export function figure(value: number): string {
  const size = Math.abs(value)
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2
  return count(rounded(value, digits))
}

/** Explains the lines of a chart, which has none for few seeds. */
export const linesAbout = (seeds: number, lines: string): string =>
  seeds < fewestForInterval ? 'There are too few seeds for intervals.' : lines

/** Explains the cells of a table. */
export const intervalsAbout =
  'Means, and in brackets their 95 % confidence intervals; for fewer than 10 seeds the range seen instead.'

/**
 * Formats for a table whose head gives the seeds: as `155 (122 to 190)`; as `98 to 214` where the
 * seeds are too few for an interval; as `always 1.76` where every seed gave the same; as `-` for
 * null.
 */
export function cellText(interval: Interval | null): string {
  switch (interval?.kind) {
    case undefined:
      return '-'
    case 'always':
      return `always ${figure(interval.value)}`
    case 'seen': {
      const { mean, least, most, seeds } = interval
      return seeds === 1 ? figure(mean) : `${figure(least)} to ${figure(most)}`
    }
    case 'interval': {
      const { mean, low, high } = interval
      return `${figure(mean)} (${figure(low)} to ${figure(high)})`
    }
  }
}
