/** The difference of two paired series, in their own unit. */

import {
  endsOf,
  withoutInterval,
  type Interval,
  studentEnds,
  usualConfidence,
} from '../../sim/statistics/interval.ts'

/** With fewer pairs there is no interval of a difference. */
const fewestPairs = 5

/**
 * Returns the mean difference `a - b`, pair by pair, with Student's t. Pairs with a missing number
 * do not count. Returns null if no pair is left.
 */
export function differenceOf(
  a: readonly (number | null)[],
  b: readonly (number | null)[],
  confidence = usualConfidence,
): Interval | null {
  const differences = pairsOf(a, b).map(([one, other]) => one - other)
  return differences.length === 0 ? null : pairedInterval(differences, confidence)
}

/** The interval of paired values by Student's t, which holds for them: pairing removes the skew. */
export function pairedInterval(values: readonly number[], confidence: number): Interval {
  const seeds = values.length
  const early = withoutInterval(values, fewestPairs)
  return early ?? { kind: 'interval', ...studentEnds(values, confidence), seeds }
}

/** Returns the pairs of which neither number is missing. */
export function pairsOf(
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
