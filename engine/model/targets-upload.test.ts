import { expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'

// E-94
test('an upload replaces ALL by a list of any length, and a list by ALL', () => {
  const story = lanes({ 1: 'ALL', 2: ['d'] }, { concurrency: 2 })
  story.touches(1, ['a', 'b', 'c'])
  story.submit(1, 2)
  expect(story.running).toEqual(['> 1', '> 2'])
  story.touches(3, ['a', 'b', 'c'])
  story.touches(3, 'ALL')
  story.pass('> 1')
  story.submit(3)
  expect(story.running).toEqual(['> 2', '2 > 3'])
})
