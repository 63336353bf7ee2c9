/** Means with confidence intervals, and the difference of two paired series. */

import { studentQuantile } from './student-t.ts'

export type Interval = {
  readonly mean: number
  /** The confidence interval of the mean. For a single number both ends are that number. */
  readonly low: number
  readonly high: number
}

/** The confidence level of a single interval. */
const usualConfidence = 0.95

/**
 * Returns the mean of at least one number, with its confidence interval. Numbers are added in the
 * given order, so that the same numbers give the same bytes.
 */
export function intervalOf(values: readonly number[], confidence = usualConfidence): Interval {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const error = n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n)
  const half = error === 0 ? 0 : error * studentQuantile((1 + confidence) / 2, n - 1)
  return { mean, low: mean - half, high: mean + half }
}

/** The mean difference of two series, pair by pair. */
export type Difference = Interval & { readonly pairs: number }

/**
 * Returns the difference `a - b`. Pairs with a missing number do not count. Returns null if no pair
 * is left.
 */
export function differenceOf(
  a: readonly (number | null)[],
  b: readonly (number | null)[],
  confidence = usualConfidence,
): Difference | null {
  const differences = a.flatMap((value, index) => {
    const other = b[index] ?? null
    return value === null || other === null ? [] : [value - other]
  })
  const pairs = differences.length
  return pairs === 0 ? null : { ...intervalOf(differences, confidence), pairs }
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
const fewestPairs = 6

/** Returns whether a difference is significant: its interval must not contain zero. */
export function readingOf({ low, high, pairs }: Difference): Comparison {
  if (low === 0 && high === 0) return 'the same'
  if (pairs < fewestPairs) return 'cannot tell'
  if (high < 0) return 'less'
  return low > 0 ? 'more' : 'cannot tell'
}
