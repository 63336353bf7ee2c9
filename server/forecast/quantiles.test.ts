/** Quantiles of few draws, and what they promise about the next one. */

import { expect, test } from 'vitest'
import { Draws, ascending, nextQuantile } from './draws.ts'

const trials = Array.from({ length: 5000 }, (_, index) => index)

test.each([10, 20, 60])(
  'of %i draws, one more lies below the quantile as often as it says',
  (n) => {
    const draws = new Draws('quantiles')
    const below = trials.filter(() => {
      const sorted = ascending(Array.from({ length: n }, () => draws.unit()))
      return draws.unit() < nextQuantile(sorted, 0.9)
    })
    // The quantile of ten values between the least and the greatest would give 0.83.
    expect(Math.abs(below.length / trials.length - 0.9)).toBeLessThan(0.015)
  },
)

test('beyond the least and the greatest of few draws nothing is known', () => {
  expect([0.1, 0.5, 0.9].map((share) => nextQuantile([3, 5, 9], share))).toEqual([3, 5, 9])
})

test('a draw that never ends makes the quantile beside it endless', () => {
  expect(nextQuantile([1, 2, Infinity], 0.6)).toBe(Infinity)
  expect(nextQuantile([1, 2, Infinity], 0.5)).toBe(2)
})
