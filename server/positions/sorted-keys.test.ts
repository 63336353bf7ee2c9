import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SortedKeys } from './sorted-keys.ts'

test('after insertions and deletions, each position is the number of smaller keys', () => {
  const change = fc.record({ key: fc.nat(5000), adds: fc.boolean() })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4000, size: 'max' }), (changes) => {
      const keys = new SortedKeys()
      const known = new Set<number>()
      for (const { key, adds } of changes) {
        if (adds && !known.has(key)) keys.add(key)
        if (!adds) keys.delete(key)
        if (adds) known.add(key)
        else known.delete(key)
      }
      const sorted = [...known].sort((a, b) => a - b)
      expect([...keys]).toEqual(sorted)
      expect(keys.size).toBe(sorted.length)
      expect(sorted.map((key) => keys.positionOf(key))).toEqual(sorted.map((_key, index) => index))
    }),
    { numRuns: 30 },
  )
})

test('ten thousand ascending keys stay in order across chunks', () => {
  const keys = new SortedKeys()
  for (let key = 0; key < 10_000; key++) keys.add(key * 2)
  expect(keys.positionOf(9_000)).toBe(4_500)
  expect(keys.positionOf(9_001)).toBe(4_501)
  for (let key = 0; key < 10_000; key += 2) keys.delete(key * 2)
  expect(keys.positionOf(19_998)).toBe(4_999)
  expect(keys.positionOf(-1)).toBe(0)
  expect(keys.positionOf(1_000_000)).toBe(5_000)
})
