/** The mean of numbers, with the ends of its interval by Student's t. */

import { studentQuantile } from './student-t.ts'

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
