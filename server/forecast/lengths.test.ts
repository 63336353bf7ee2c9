/** How long runs take, as drawn from those that were seen. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Draws, Lengths } from './draws.ts'

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
