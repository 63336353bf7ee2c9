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

// E-143
test('an upload lets the verdict of a group stand, also if the one below it starts again on top of more', () => {
  const story = lanes({ 1: ['a'], 2: ['b'], 3: ['b'] })
  story.submit(1, 2, 3)
  story.touches(1, ['a', 'b'])
  story.error('> 2')
  story.wait(1)
  expect(story.running).toEqual(['> 1', '2 > 3', '1 > 2'])
  story.pass('2 > 3')
  story.pass('> 1')
  story.pass('1 > 2')
  expect(story.merged).toEqual([1, 2, 3])
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
