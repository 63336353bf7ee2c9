/** How long runs take, as drawn from those that were seen. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Draws, Lengths, ascending, nextQuantile } from './draws.ts'

const whole = (ms: number) => ({ ms, isWhole: true })

test('a run is as long as one of those that were seen', () => {
  const lengths = new Lengths([300, 100, 200].map((ms) => whole(ms)))
  const draws = new Draws('seen')
  const drawn = new Set(Array.from({ length: 200 }, () => lengths.draw(0, draws)))
  expect([100, 200].every((ms) => drawn.has(ms))).toBe(true)
})

test('runs that were cancelled early make long ones more probable', () => {
  const seen = Array.from({ length: 20 }, (_, index) => whole(index < 10 ? 100 : 1000))
  const cancelled = Array.from({ length: 20 }, () => ({ ms: 500, isWhole: false }))
  const shareOfLong = (lengths: Lengths): number => {
    const draws = new Draws('share')
    const drawn = Array.from({ length: 1000 }, () => lengths.draw(0, draws))
    return drawn.filter((ms) => ms >= 1000).length / drawn.length
  }
  expect(shareOfLong(new Lengths(seen))).toBeCloseTo(0.5, 1)
  expect(shareOfLong(new Lengths([...seen, ...cancelled]))).toBeGreaterThan(0.7)
})

test('a run never ends before the time that it has lasted', () => {
  const seen = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 1e7 }), isWhole: fc.boolean() }))
  fc.assert(
    fc.property(seen, fc.integer({ min: 0, max: 2e7 }), fc.string(), (lengths, elapsed, seed) => {
      expect(new Lengths(lengths).draw(elapsed, new Draws(seed))).toBeGreaterThanOrEqual(elapsed)
    }),
  )
})

// Quantiles of few draws, and what they promise about the next one.

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
