import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutDuplicates } from '../commands/set-impacted-targets.ts'

test('a repeated name keeps only its first position', () => {
  expect(withoutDuplicates(['web', 'api', 'web', 'docs', 'api'])).toEqual(['web', 'api', 'docs'])
})

test('a list without duplicates is returned itself', () => {
  const names = ['web', 'api', '']
  expect(withoutDuplicates(names)).toBe(names)
  expect(withoutDuplicates([])).toEqual([])
})

test('lists of any length equal the list of their set', () => {
  const lists = fc
    .record({ length: fc.integer({ min: 0, max: 60_000 }), kinds: fc.integer({ min: 1 }) })
    .map(({ length, kinds }) => Array.from({ length }, (_, index) => `${(index * index) % kinds}`))
  fc.assert(
    fc.property(lists, (names) => {
      expect(withoutDuplicates(names)).toEqual([...new Set(names)])
    }),
    { numRuns: 10 },
  )
})
