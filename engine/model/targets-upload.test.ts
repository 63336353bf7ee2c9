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
test('an upload lets a group go on that waits for a retry, and those on top of it', () => {
  const story = lanes({ 1: ['a'], 2: ['b'], 3: ['b'] })
  story.submit(1, 2, 3)
  story.error('> 2')
  story.touches(1, ['a', 'b'])
  expect(story.running).toEqual(['2 > 3', '2 3 > 1'])
  story.wait(1)
  expect(story.running).toEqual(['2 > 3', '2 3 > 1', '> 2'])
})

// E-95
test('an upload for one that merges lets those that share a target wait for it', () => {
  const story = lanes({ 1: ['a'], 2: ['b'], 3: ['c'] }, {}, { codeHost: 'answers' })
  story.submit(1, 2, 3)
  story.pass('> 1')
  story.pass('> 2')
  story.touches(2, 'ALL')
  expect(story.running).toEqual(['2 > 3'])
  story.answerMerge(1)
  story.answerMerge(2)
  story.pass('2 > 3')
  story.answerMerge(3)
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

// E-35, E-95
test('an upload does not tie groups that are merging when an urgent pull request moves them to the head', () => {
  const targets = { 1: ['d'], 2: ['b'], 3: ['a', 'c'], 4: [], 5: ['c'] }
  const story = lanes(targets, {}, { codeHost: 'answers' })
  story.submit(1, 2, 3)
  story.pass('> 2')
  story.pass('> 3')
  story.touches(2, ['a'])
  story.submitAs(4, { priority: 0 })
  story.submit(5)
  expect(story.running).toEqual(['> 1', '> 4', '3 > 5'])
})

// E-47, E-143
test('an upload waits for a batch that is merging, and not for its rest if that shares no target', () => {
  const targets = { 1: ['b'], 2: ['a', 'c'], 3: ['c'], 4: ['c'] }
  const batches = { batch: true, batchingMinSize: 3 }
  const story = lanes(targets, batches, { codeHost: 'answers' })
  story.submitAs(1, { noBatch: true })
  story.submit(2, 3, 4)
  story.pass('> 2 3 4')
  story.touches(1, ['a'])
  expect(story.running).toEqual(['2 3 4 > 1'])
  story.cancel(4)
  expect(story.running).toEqual(['2 > 3', '2 > 1'])
})
