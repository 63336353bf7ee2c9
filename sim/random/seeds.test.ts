import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstSeedOf, SeedSet } from './seeds.ts'

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
