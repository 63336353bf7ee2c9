import fc from 'fast-check'
import { expect, test } from 'vitest'
import { binsOf } from './histogram.ts'

test('a few whole numbers each get a separate bin, and lie in its middle', () => {
  expect(binsOf([3, 5, 5], { isWhole: true })).toEqual([
    { from: 2.5, to: 3.5, at: [0] },
    { from: 3.5, to: 4.5, at: [] },
    { from: 4.5, to: 5.5, at: [1, 2] },
  ])
})

test('many whole numbers share bins of equal width', () => {
  const bins = binsOf([1, 100], { isWhole: true })
  expect(bins).toHaveLength(5)
  expect(new Set(bins.map(({ from, to }) => to - from))).toEqual(new Set([20]))
})

test('durations begin at zero', () => {
  expect(binsOf([10, 20], { from: 0 })[0]).toEqual({ from: 0, to: 4, at: [] })
})

test('every value is counted once, between the first and the last bound', () => {
  const values = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(values, fc.boolean(), fc.constantFrom(1, 1000), (whole, isWhole, divisor) => {
      const all = isWhole ? whole : whole.map((value) => value / divisor)
      const bins = binsOf(all, { isWhole })
      expect(bins.flatMap(({ at }) => at).toSorted((a, b) => a - b)).toEqual([...all.keys()])
      expect(bins[0]?.from).toBeLessThanOrEqual(Math.min(...all))
      expect(bins.at(-1)?.to).toBeGreaterThanOrEqual(Math.max(...all) - 1e-6)
      expect(bins.length).toBeLessThanOrEqual(24)
    }),
  )
})
