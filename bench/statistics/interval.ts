/** Means with their confidence intervals, and what two paired series differ by. */

import { studentQuantile } from './student-t.ts'

export type Interval = {
  readonly mean: number
  /** Where the true mean lies with that confidence; both ends the mean for one number. */
  readonly low: number
  readonly high: number
}

/** How sure every interval is, taken by itself. */
const usualConfidence = 0.95

/**
 * The mean of at least one number. Sums go in order, so that the same numbers give the same bytes.
 */
export function intervalOf(values: readonly number[], confidence = usualConfidence): Interval {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const error = n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n)
  const half = error === 0 ? 0 : error * studentQuantile((1 + confidence) / 2, n - 1)
  return { mean, low: mean - half, high: mean + half }
}

/** What one series has more than another, pair by pair. */
export type Difference = Interval & { readonly pairs: number }

/** What `a` has more than `b`; where one of a pair is missing, it does not count. */
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

/** So sure must each of several intervals be for all to hold together with the usual confidence. */
export function jointConfidence(comparisons: number): number {
  return 1 - (1 - usualConfidence) / Math.max(1, comparisons)
}

export type Comparison = 'less' | 'more' | 'cannot tell' | 'the same'

/** Fewer all fall on one side by chance too often, however close they lie together. */
const fewestPairs = 6

/** What a difference says: nothing, as long as its interval holds zero. */
export function readingOf({ low, high, pairs }: Difference): Comparison {
  if (low === 0 && high === 0) return 'the same'
  if (pairs < fewestPairs) return 'cannot tell'
  if (high < 0) return 'less'
  return low > 0 ? 'more' : 'cannot tell'
}
