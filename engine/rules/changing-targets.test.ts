import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'
import type { Story } from '../testing/story.ts'

/** A batch of three that are tied to each other, and one beside it; the code host takes its time. */
function threeAndOne(): Story {
  const targets = { 1: ['a'], 2: ['a', 'b'], 3: ['b'], 4: ['c'] }
  const batches = { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 5 }
  const story = lanes(targets, batches, { codeHost: 'answers' })
  story.submit(1, 2, 3, 4)
  story.wait(5)
  expect(story.running).toEqual(['> 1 2 3', '> 4'])
  return story
}

describe('targets that change', () => {
  test('an upload before the start replaces the one before', () => {
    const story = lanes({ 1: ['a'], 2: ['a'] }, { concurrency: 1 })
    story.submit(1, 2)
    story.touches(2, ['b'])
    story.update({ concurrency: 2 })
    expect(story.running).toEqual(['> 1', '> 2'])
  })

  test('while others test, one takes effect when the pull request starts again', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['b'] })
    story.submit(1, 2, 3)
    story.touches(1, ['a', 'b'])
    expect(story.running).toEqual(['> 1', '> 2', '2 > 3'])
    story.restart(1)
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
  })

  test('one that shrinks lets go of nobody who was tested on top of it', () => {
    const story = lanes({ 1: ['a'], 2: ['a'] })
    story.submit(1, 2)
    story.touches(1, ['b'])
    story.restart(1)
    expect(story.running).toEqual(['1 > 2', '> 1'])
    story.pass('1 > 2')
    expect(story.stateOf(2)).toBe('TESTS_PASSED')
    story.pass('> 1')
    expect(story.merged).toEqual([1, 2])
  })

  test('one that shrinks frees those behind once they start again', () => {
    const story = lanes({ 1: ['a'], 2: ['a'] })
    story.submit(1, 2)
    story.touches(1, ['b'])
    story.restart(1)
    story.restart(2)
    expect(story.running).toEqual(['> 1', '> 2'])
    const other = lanes({ 1: ['a'], 2: ['a'] })
    other.submit(1, 2)
    other.touches(1, ['b'])
    other.restart(2)
    expect(other.running).toEqual(['> 1', '1 > 2'])
  })

  test('one that frees a lost run from what was below counts its tries anew', () => {
    const story = lanes({ 1: ['a'], 2: ['a'] })
    story.submit(1, 2)
    story.touches(2, ['b'])
    story.error('1 > 2')
    story.wait(1)
    expect(story.running).toEqual(['> 1', '> 2'])
    story.error('> 2')
    story.wait(1)
    expect(story.running).toEqual(['> 1', '> 2'])
    story.error('> 2')
    expect(story.stateOf(2)).toBe('PENDING')
  })

  test('one that grows restarts those on top of it, which lack what is below it now', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['b'] })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '> 2', '2 > 3'])
    story.touches(2, ['a', 'b'])
    story.restart(2)
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
  })

  test('what is being merged goes ahead of one that has grown onto it', () => {
    const story = lanes({ 1: ['a'], 2: ['b'] }, {}, { codeHost: 'answers' })
    story.submit(1, 2)
    story.touches(1, 'ALL')
    story.pass('> 2')
    story.restart(1)
    expect(story.running).toEqual(['2 > 1'])
    story.answerMerge(2)
    story.pass('2 > 1')
    story.answerMerge(1)
    expect(story.merged).toEqual([2, 1])
  })

  test('what is being merged goes ahead of one that comes back after a text conflict', () => {
    const story = lanes({ 1: ['a'], 2: ['a', 'b'], 3: ['b'] }, {}, { codeHost: 'answers' })
    story.conflict(2, 1)
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '> 3'])
    story.pass('> 3')
    story.cancel(1)
    expect(story.running).toEqual(['3 > 2'])
    story.answerMerge(3)
    story.pass('3 > 2')
    story.answerMerge(2)
    expect(story.merged).toEqual([3, 2])
  })

  test('what is being merged goes ahead of the rest of a batch that has grown onto it', () => {
    const story = threeAndOne()
    story.touches(3, ['c'])
    story.pass('> 1 2 3')
    story.pass('> 4')
    story.cancel(2)
    expect(story.running).toEqual(['4 > 3'])
    story.answerMerge(1)
    story.answerMerge(4)
    story.pass('4 > 3')
    story.answerMerge(3)
    expect(story.merged).toEqual([1, 4, 3])
  })

  test('the rest of a batch that has grown restarts those that lack it', () => {
    const story = threeAndOne()
    story.touches(3, ['c'])
    story.pass('> 1 2 3')
    story.cancel(2)
    expect(story.running).toEqual(['> 3', '3 > 4'])
  })

  test('one for a pull request that is not submitted yet waits for it', () => {
    const story = lanes({ 1: ['a'] })
    story.touches(2, ['a'])
    story.submit(1, 2)
    expect(story.running).toEqual(['> 1', '1 > 2'])
  })
})
