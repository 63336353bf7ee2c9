import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyComposition, extend, testKey } from './ids.ts'

const contents = fc.array(fc.integer({ min: -5, max: 1_000_000 }), { maxLength: 12 })

describe('a composition', () => {
  // E-13
  test('differs for different contents and for different orders', () => {
    fc.assert(
      fc.property(contents, contents, (some, others) => {
        fc.pre(JSON.stringify(some) !== JSON.stringify(others))
        expect(extend(emptyComposition, some)).not.toBe(extend(emptyComposition, others))
      }),
      { numRuns: 2000 },
    )
  })

  // E-13
  test('differs in both halves, because one alone would repeat after some ten thousand runs', () => {
    const keys = Array.from({ length: 1000 }, (_, element) => extend(emptyComposition, [element]))
    const halvesAt = (at: number): Set<string | undefined> =>
      new Set(keys.map((key) => key.split('.')[at]))
    expect([halvesAt(0).size, halvesAt(1).size]).toEqual([1000, 1000])
  })

  // E-7
  test('has the key that snapshots of earlier versions hold', () => {
    expect(extend(emptyComposition, [1])).toBe('2123955962.50879257')
    expect(extend(emptyComposition, [70_001, -3])).toBe('3908354367.2554749722')
  })
})

test('the key of a test has its file, if the runner names one', () => {
  expect(testKey({ name: 'adds' })).toBe('adds')
  expect(testKey({ name: 'adds', file: '' })).toBe('adds')
  expect(testKey({ name: 'adds', file: 'sum.ts' })).toBe('sum.ts > adds')
})
