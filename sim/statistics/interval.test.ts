import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bootstrapT,
  quantileOf,
  endsOf,
  intervalOf,
  lineOf,
  mostForBootstrap,
  standardErrorOf,
  studentEnds,
  studentQuantile,
  studentShare,
} from './interval.ts'

/** Ten times in queue: most are short, and one is long. */
const skewed = [98, 104, 110, 112, 115, 121, 130, 141, 160, 349]

const anySeeds = fc.array(fc.nat(1000), { minLength: 10, maxLength: 40 })

describe('the mean of a figure', () => {
  // S-221
  test('given the same value in every seed, is always that value, and no interval', () => {
    expect(intervalOf([1.76, 1.76])).toEqual({ kind: 'always', value: 1.76, seeds: 2 })
    expect(intervalOf(Array.from({ length: 40 }, () => 0))).toEqual({
      kind: 'always',
      value: 0,
      seeds: 40,
    })
  })

  // S-221
  test('given fewer than ten seeds, is shown by the range seen', () => {
    const seen = intervalOf([98, 214, 120, 150, 133, 141])
    expect(seen).toEqual({ kind: 'seen', mean: 856 / 6, least: 98, most: 214, seeds: 6 })
    expect(intervalOf([3])).toEqual({ kind: 'seen', mean: 3, least: 3, most: 3, seeds: 1 })
    expect(lineOf(seen)).toEqual({ low: 856 / 6, high: 856 / 6 })
  })

  // S-222
  test('given skewed seeds, its interval reaches further above the mean than below', () => {
    const { low, high } = endsOf(intervalOf(skewed))
    const usual = studentEnds(skewed)
    expect(low).toBe(usual.low)
    expect(high).toBeGreaterThan(1.5 * usual.high - 0.5 * usual.mean)
  })

  // S-222
  test("is at each end at least as wide as Student's t, and at most three times as wide", () => {
    fc.assert(
      fc.property(anySeeds, (values) => {
        const interval = intervalOf(values)
        fc.pre(interval.kind === 'interval')
        const usual = studentEnds(values)
        const half = usual.high - usual.mean
        const close = 1e-9 * half
        expect(interval.high).toBeGreaterThanOrEqual(usual.high - close)
        expect(interval.high).toBeLessThanOrEqual(usual.mean + 3 * half + close)
        expect(interval.low).toBeLessThanOrEqual(Math.max(0, usual.low) + close)
        expect(interval.low).toBeGreaterThanOrEqual(Math.max(0, usual.mean - 3 * half) - close)
      }),
    )
  })

  // S-222
  test('given the same seeds, has the same interval', () => {
    const { low, high } = bootstrapT(skewed) ?? { low: NaN, high: NaN }
    expect(endsOf(intervalOf(skewed))).toEqual(endsOf(intervalOf([...skewed])))
    expect([low, high].map((each) => each.toFixed(3))).toEqual(['-8.830', '1.507'])
  })

  // S-222
  test('given one exception in ten, resamples without it do not count', () => {
    const rare = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    const { high } = endsOf(intervalOf(rare))
    expect(high).toBeGreaterThan(0.1 + 2.26 * standardErrorOf(rare))
    expect(endsOf(intervalOf(rare)).low).toBe(0)
  })

  // S-222
  test("given more than a thousand seeds, is Student's t alone", () => {
    const many = Array.from({ length: mostForBootstrap + 1 }, (_, index) => (index % 40) ** 4)
    const { mean, low, high } = studentEnds(many)
    expect(intervalOf(many)).toMatchObject({ mean, low, high })
    expect(endsOf(intervalOf(many.slice(1))).high).not.toBe(studentEnds(many.slice(1)).high)
  })

  test('of very many seeds needs no more stack than that of few', () => {
    const many = Array.from({ length: 300_000 }, (_, index) => index % 7)
    expect(intervalOf(many)).toMatchObject({ kind: 'interval', seeds: 300_000 })
  })
})

test("Student's interval: given 1, 2, 3, is the mean plus and minus 4.303 standard errors", () => {
  const { mean, low, high } = studentEnds([1, 2, 3])
  expect(mean).toBe(2)
  expect(high - 2).toBeCloseTo(studentQuantile(0.975, 2) / Math.sqrt(3), 12)
  expect(2 - low).toBeCloseTo(high - 2, 12)
})

test('a quantile has ends between two seeds in proportion', () => {
  expect(quantileOf([10, 20, 30], 0.5)).toBe(20)
  expect(quantileOf([10, 20, 30], 0.375)).toBe(15)
  expect(quantileOf([10, 20, 30], 0.01)).toBe(10)
})

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
      expect(studentShare(t, degrees)).toBeCloseTo(p, 3)
    }
  })

  test('is symmetric around zero', () => {
    expect(studentQuantile(0.025, 7)).toBe(-studentQuantile(0.975, 7))
    expect(studentQuantile(0.5, 7)).toBeCloseTo(0, 12)
    expect(studentShare(-1.5, 7)).toBeCloseTo(1 - studentShare(1.5, 7), 12)
  })
})
