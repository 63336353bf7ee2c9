import fc from 'fast-check'
import { expect, test } from 'vitest'
import { factorTicks } from './axis.ts'

test.each([
  [[12, 40], 'tens', [10, 20, 50]],
  [[20, 40], 'tens', [20, 50]],
  [[1, 1_000_000], 'tens', [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]],
  [[7, 7], 'tens', [5, 10]],
  [[586, 1210], 'tens', [500, 1000, 2000]],
  [[70 * 2 ** 20, 130 * 2 ** 20], 'twos', [64, 128, 256].map((mib) => mib * 2 ** 20)],
] as const)('given %j and powers of %s, the ticks are %j', (values, by, ticks) => {
  expect(factorTicks(values, by, 7)).toEqual(ticks)
})

test('ticks enclose all values; there are at least 2 and at most 10', () => {
  const value = fc.double({ min: 1e-3, max: 1e12, noNaN: true })
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 9 }), (values) => {
      const ticks = factorTicks(values, 'tens', 7)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(10)
      expect(ticks[0]).toBeLessThanOrEqual(Math.min(...values))
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...values))
    }),
  )
})
