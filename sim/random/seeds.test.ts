import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstSeedOf, partOf, SeedSet, sizeOf, type SeedRange } from './seeds.ts'

const anyRange = fc
  .tuple(fc.nat(1000), fc.nat(200))
  .map(([from, more]): SeedRange => ({ from, to: from + more }))

describe('shards of a range', () => {
  test('contain each seed once, in order, and differ in size by one at most', () => {
    fc.assert(
      fc.property(anyRange, fc.integer({ min: 1, max: 30 }), (range, of) => {
        const parts = Array.from({ length: of }, (_, index) =>
          partOf(range, { index: index + 1, of }),
        )
        let next = range.from
        for (const part of parts) {
          expect(part.from).toBe(next)
          next = part.to + 1
        }
        expect(next).toBe(range.to + 1)
        const sizes = parts.map(sizeOf)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('given 1 to 1,000 in eight shards, the second is 126 to 250', () => {
    expect(partOf({ from: 1, to: 1000 }, { index: 2, of: 8 })).toEqual({ from: 126, to: 250 })
  })
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
