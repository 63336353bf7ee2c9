import { expect, test } from 'vitest'
import { lanes } from '../testing/story.ts'
import fc from 'fast-check'
import { withoutDuplicates } from './pull-request.ts'

// E-143
test('an upload lets a group go on that waits for a retry, and those on top of it', () => {
  const story = lanes({ 1: ['a'], 2: ['b'], 3: ['b'] })
  story.submit(1, 2, 3)
  story.error('> 2')
  story.touches(1, ['a', 'b'])
  expect(story.running).toEqual(['2 > 3', '2 3 > 1'])
  story.wait(1)
  expect(story.running).toEqual(['2 > 3', '2 3 > 1', '> 2'])
})

// E-143
test('an upload counts no more when that pull request has left its group', () => {
  const batches = { batch: true, batchingMinSize: 2 }
  const story = lanes({ 1: ['a'], 2: ['a'], 3: ['b'] }, batches)
  story.submit(1, 2)
  story.touches(1, ['b'])
  story.cancel(1)
  story.submitAs(3, { noBatch: true })
  expect(story.running).toEqual(['> 2', '> 3'])
})

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
