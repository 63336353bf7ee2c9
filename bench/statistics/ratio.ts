/** The ratio of two paired series, which says the same in minutes, hours and days. */

import { pairedInterval, pairsOf } from './difference.ts'
import { type Interval, meanOf, usualConfidence } from '../../sim/statistics/interval.ts'

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
