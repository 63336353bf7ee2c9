import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calibrated } from './estimate.ts'

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
