import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differenceOf, intervalOf, jointConfidence, readingOf } from './interval.ts'
import { studentQuantile } from './student-t.ts'

describe("Student's t", () => {
  test('agrees with the printed tables', () => {
    const printed = [
      [0.975, 1, 12.706],
      [0.975, 2, 4.303],
      [0.975, 10, 2.228],
      [0.975, 30, 2.042],
      [0.95, 5, 2.015],
      [0.995, 5, 4.032],
      [0.9995, 20, 3.85],
      [0.975, 1e6, 1.96],
    ] as const
    for (const [p, degrees, t] of printed) {
      expect(studentQuantile(p, degrees)).toBeCloseTo(t, 2)
    }
  })

  test('is symmetric around zero', () => {
    expect(studentQuantile(0.025, 7)).toBe(-studentQuantile(0.975, 7))
    expect(studentQuantile(0.5, 7)).toBeCloseTo(0, 12)
  })
})

describe('intervals', () => {
  test('given one number, both ends are that number', () => {
    expect(intervalOf([3])).toEqual({ mean: 3, low: 3, high: 3 })
  })

  test('given 1, 2, 3, the interval is the mean plus and minus 4.303 standard errors', () => {
    const { mean, low, high } = intervalOf([1, 2, 3])
    expect(mean).toBe(2)
    expect(high - 2).toBeCloseTo(4.303 / Math.sqrt(3), 3)
    expect(2 - low).toBeCloseTo(high - 2, 12)
  })

  test('are wider for a higher confidence level', () => {
    const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 30 })
    fc.assert(
      fc.property(numbers, (values) => {
        const [usual, joint] = [intervalOf(values), intervalOf(values, jointConfidence(20))]
        expect(joint.low).toBeLessThanOrEqual(usual.low)
        expect(joint.high).toBeGreaterThanOrEqual(usual.high)
      }),
    )
  })

  test('given paired series with the same noise, a small difference is significant', () => {
    const noise = [100, 900, 400, 700, 200, 800]
    const shifted = noise.map((value, index) => value - 10 - index)
    const difference = differenceOf(shifted, noise)
    expect(difference?.mean).toBe(-12.5)
    expect(difference && readingOf(difference)).toBe('less')
  })

  test('given a missing number, its pair does not count', () => {
    expect(differenceOf([1, null, 5], [0, 3, 4])?.mean).toBe(1)
    expect(differenceOf([null], [1])).toBeNull()
  })
})

test('a difference is significant if its interval excludes zero and there are enough pairs', () => {
  const pairs = 6
  expect(readingOf({ mean: 0, low: 0, high: 0, pairs })).toBe('the same')
  expect(readingOf({ mean: 1, low: -1, high: 3, pairs })).toBe('cannot tell')
  expect(readingOf({ mean: 2, low: 1, high: 3, pairs })).toBe('more')
  expect(readingOf({ mean: -2, low: -3, high: -1, pairs })).toBe('less')
  expect(readingOf({ mean: -2, low: -2, high: -2, pairs: 5 })).toBe('cannot tell')
})
