import fc from 'fast-check'
import { expect, test } from 'vitest'
import { factorTicks } from './curve.ts'

test.each([
  [[12, 40], null, [10, 20, 50]],
  [[20, 40], null, [20, 50]],
  [[1, 1_000_000], null, [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]],
  [[7, 7], null, [5, 10]],
  [[586, 1210], 'ns', [500, 1000, 2000]],
  [[70 * 2 ** 20, 130 * 2 ** 20], 'bytes', [64, 128, 256].map((mib) => mib * 2 ** 20)],
] as const)('%j in %s is drawn from %j', (values, unit, ticks) => {
  expect(factorTicks(values, unit, 7)).toEqual(ticks)
})

test('ticks enclose all values, two at least and few enough to read', () => {
  const value = fc.double({ min: 1e-3, max: 1e12, noNaN: true })
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 9 }), (values) => {
      const ticks = factorTicks(values, 'ns', 7)
      expect(ticks.length).toBeGreaterThanOrEqual(2)
      expect(ticks.length).toBeLessThanOrEqual(10)
      expect(ticks[0]).toBeLessThanOrEqual(Math.min(...values))
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...values))
    }),
  )
})
