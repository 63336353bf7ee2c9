import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachOnce } from './each-once.ts'

test('a name that comes again stays where it came first', () => {
  expect(eachOnce(['web', 'api', 'web', 'docs', 'api'])).toEqual(['web', 'api', 'docs'])
})

test('where nothing comes twice, it is the list itself', () => {
  const names = ['web', 'api', '']
  expect(eachOnce(names)).toBe(names)
  expect(eachOnce([])).toEqual([])
})

test('lists of any length lose what a set would not hold', () => {
  const lists = fc
    .record({ length: fc.integer({ min: 0, max: 60_000 }), kinds: fc.integer({ min: 1 }) })
    .map(({ length, kinds }) => Array.from({ length }, (_, index) => `${(index * index) % kinds}`))
  fc.assert(
    fc.property(lists, (names) => {
      expect(eachOnce(names)).toEqual([...new Set(names)])
    }),
    { numRuns: 30 },
  )
})
