/** Calibration: errors in units of the spread, and ranges that hold as many truths as they say. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calibrated, calibrationOf, errorOf } from './calibration.ts'

const minutes = fc.double({ min: 0, max: 10_000, noNaN: true })
const range = fc.array(minutes, { minLength: 3, maxLength: 3 }).map((values) => {
  const [low = 0, median = 0, high = 0] = values.toSorted((a, b) => a - b)
  return { low, median, high }
})

test('a calibrated range is in order, and never before now', () => {
  fc.assert(
    fc.property(range, (each) => {
      const { low, median, high } = calibrated(each, { low: -1.15, median: -0.08, high: 1 })
      expect(low).toBeGreaterThanOrEqual(0)
      expect(median).toBeGreaterThanOrEqual(low)
      expect(high).toBeGreaterThanOrEqual(median)
    }),
  )
})

test('a calibration by errors holds 80 of 100 of the truths that made them', () => {
  const told = { low: 20, median: 30, high: 60 }
  const truths = Array.from({ length: 200 }, (_, index) => 5 + index)
  const calibration = calibrationOf(truths.map((truth) => errorOf(told, truth)))
  const { low, high } = calibrated(told, calibration)
  const inside = truths.filter((truth) => low <= truth && truth <= high)
  expect(inside.length / truths.length).toBeCloseTo(0.8, 1)
})

test('the error of a forecast that came true is 0, later is positive, earlier negative', () => {
  const told = { low: 20, median: 30, high: 60 }
  expect([10, 30, 90].map((truth) => Math.sign(errorOf(told, truth)))).toEqual([-1, 0, 1])
})
