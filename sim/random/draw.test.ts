import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawsOf, longestLognormalMs, nameOf, purposes } from './draw.ts'
import { firstSeedOf, SeedSet } from './seeds.ts'

const draws = drawsOf(1)

/** The samples for the keys 0 .. n - 1. */
function samples(n: number, sample: (key: number) => number): number[] {
  return Array.from({ length: n }, (_, key) => sample(key))
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Chi-squared of values of 0 .. 1 in 20 bins, against a uniform distribution; 19 is expected. */
function chiSquared(values: readonly number[]): number {
  const bins = Array.from({ length: 20 }, () => 0)
  for (const value of values) bins[Math.floor(value * 20)] = (bins[Math.floor(value * 20)] ?? 0) + 1
  const expected = values.length / bins.length
  return bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

describe('a keyed draw', () => {
  test('does not depend on when it is made, or on earlier draws', () => {
    const first = draws.unit('breaks', 7)
    draws.unit('breaks', 8)
    drawsOf(2).unit('breaks', 7)
    expect(draws.unit('breaks', 7)).toBe(first)
    expect(drawsOf(1).unit('breaks', 7)).toBe(first)
  })

  test('differs by seed, purpose and key', () => {
    const some = [
      draws.unit('breaks', 7),
      draws.unit('breaks', 8),
      draws.unit('urgent', 7),
      drawsOf(2).unit('breaks', 7),
      draws.unit('breaks', '7 '),
    ]
    expect(new Set(some).size).toBe(some.length)
  })

  test('has a separate position for each purpose', () => {
    const positions = Object.values(purposes).map(([position]) => position)
    expect(positions).toEqual(positions.map((_, index) => index))
  })

  test('is uniform, also over keys that differ in their last digit', () => {
    const one = samples(20_000, (key) => draws.unit('breaks', key))
    expect(mean(one)).toBeCloseTo(0.5, 2)
    // A uniform distribution exceeds 43.8 once in a thousand times.
    expect(chiSquared(one)).toBeLessThan(43.8)
  })

  test('is not correlated with the draw of the next key, another purpose or another seed', () => {
    const correlation = (other: (key: number) => number): number =>
      12 * mean(samples(20_000, (key) => (draws.unit('breaks', key) - 0.5) * (other(key) - 0.5)))
    expect(Math.abs(correlation((key) => draws.unit('breaks', key + 1)))).toBeLessThan(0.03)
    expect(Math.abs(correlation((key) => draws.unit('urgent', key)))).toBeLessThan(0.03)
    expect(Math.abs(correlation((key) => drawsOf(2).unit('breaks', key)))).toBeLessThan(0.03)
  })

  test('is the same in every version, because every recorded seed depends on it', () => {
    expect(draws.unit('arrivals', 1001)).toBe(0.9010950301308185)
    expect(draws.unit('breaks', 1001)).toBe(0.03702270844951272)
    expect(drawsOf(42).integer('tie', 'result 7', 1_000_000)).toBe(507844)
    expect(draws.exponentialMs('arrivals', 1001, 60_000)).toBe(138816)
    expect(draws.lognormalMs('1,2', { medianMs: 60_000, p95Ms: 90_000 })).toBe(71703)
  })
})

describe('the drawn values', () => {
  test('of chance are never true at 0, always at 1, and at the given rate in between', () => {
    const hits = samples(10_000, (key) => Number(draws.chance('breaks', key, 0.04)))
    expect(mean(hits)).toBeCloseTo(0.04, 2)
    fc.assert(
      fc.property(fc.nat(), (key) => {
        expect(draws.chance('breaks', key, 0)).toBe(false)
        expect(draws.chance('breaks', key, 1)).toBe(true)
      }),
    )
  })

  test('of integer and uniformMs stay within their bounds, and reach them', () => {
    const dice = new Set(samples(200, (key) => draws.integer('targets', key, 6)))
    expect(dice).toEqual(new Set([0, 1, 2, 3, 4, 5]))
    const spans = new Set(samples(200, (key) => draws.uniformMs('run minutes', key, [5, 8])))
    expect(spans).toEqual(new Set([5, 6, 7, 8]))
  })

  test('of tries count up to the first success, with the same chance each time', () => {
    const tries = samples(20_000, (key) => draws.tries('conflicts', key, 0.25))
    expect(Math.min(...tries)).toBe(1)
    expect(mean(tries)).toBeCloseTo(4, 1)
    expect(draws.tries('conflicts', 1, 1)).toBe(1)
  })

  test('of exponentialMs have the given mean, in whole milliseconds', () => {
    const lengths = samples(20_000, (key) => draws.exponentialMs('run minutes', key, 60_000))
    expect(lengths.every(Number.isInteger)).toBe(true)
    expect(mean(lengths) / 60_000).toBeCloseTo(1, 1)
  })

  test('of lognormalMs have the given median and 95th percentile, and a maximum', () => {
    const shape = { medianMs: 20 * 60_000, p95Ms: 45 * 60_000 }
    const lengths = samples(20_000, (key) => draws.lognormalMs(key, shape)).sort((a, b) => a - b)
    expect((lengths[10_000] ?? 0) / shape.medianMs).toBeCloseTo(1, 1)
    expect((lengths[19_000] ?? 0) / shape.p95Ms).toBeCloseTo(1, 1)
    expect(lengths.at(-1)).toBeLessThanOrEqual(longestLognormalMs(shape))
    expect(longestLognormalMs({ medianMs: 0, p95Ms: 0 })).toBe(0)
  })
})

test('the name of a list is short, and differs by numbers and order', () => {
  const long = Array.from({ length: 500 }, (_, index) => index)
  expect(nameOf(long).length).toBeLessThan(40)
  expect(nameOf([1, 2, 3])).toBe(nameOf([1, 2, 3]))
  const names = [[1, 2, 3], [3, 2, 1], [1, 23], [12, 3], [1, 2], []].map(nameOf)
  expect(new Set(names).size).toBe(names.length)
})

describe('the first seed derived from a text', () => {
  test('is the same for the same text, and differs for another', () => {
    expect(firstSeedOf('2e9a7ee')).toBe(firstSeedOf('2e9a7ee'))
    expect(firstSeedOf('2e9a7ee')).not.toBe(firstSeedOf('2e9a7ef'))
  })

  test('leaves room for any campaign below the largest safe integer', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(firstSeedOf(text) + 1e9).toBeLessThan(Number.MAX_SAFE_INTEGER)
      }),
    )
  })
})

test('a set of seeds is written as ranges', () => {
  const seeds = new SeedSet()
  for (const seed of [1, 2, 3, 7, 9, 10]) seeds.add(seed)
  expect(seeds.text).toBe('1..3, 7, 9..10')
  expect(seeds.size).toBe(6)
})
