/** Percentiles, also of values of which some were cut short. */

import { expect, test } from 'vitest'
import { percentile } from './percentile.ts'

const four = [40, 10, 30, 20]

test.each([
  ['of nothing is 0', [], 50, [], 0],
  ['is one of the values', four, 50, [], 20],
  ['at 0 is the least', four, 0, [], 10],
  ['what was cut short below all counts for all alike', four, 50, [5, 5, 5, 5], 20],
  ['what was cut short counts for the greater ones', four, 50, [15, 15], 30],
  ['what was cut short at a value would have become greater', four, 50, [20, 20], 30],
  ['beyond all values it is the greatest that is known', four, 50, [50, 50, 50, 50, 50], 40],
  ['of what was cut short alone nothing is known', [], 50, [10], 0],
])('%s', (_title, values, percent, cut, expected) => {
  expect(percentile(values, percent, cut)).toBe(expected)
})
