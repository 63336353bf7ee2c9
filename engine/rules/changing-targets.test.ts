import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'
import type { Story } from '../testing/story.ts'

/**
 * A batch of three that share targets, and a concurrent group; the code host answers merges later.
 */
function threeAndOne(): Story {
  const targets = { 1: ['a'], 2: ['a', 'b'], 3: ['b'], 4: ['c'] }
  const batches = { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 5 }
  const story = lanes(targets, batches, { codeHost: 'answers' })
  story.submit(1, 2, 3, 4)
  story.wait(5)
  expect(story.running).toEqual(['> 1 2 3', '> 4'])
  return story
}

describe('a new upload of impacted targets', () => {
  // E-94
  test('before the start replaces the earlier upload', () => {
    const story = lanes({ 1: ['a'], 2: ['a'] }, { concurrency: 1 })
    story.submit(1, 2)
    story.touches(2, ['b'])
    story.update({ concurrency: 2 })
    expect(story.running).toEqual(['> 1', '> 2'])
  })

  // E-143
  test('during a run makes the pull request wait for those that were tested without it', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['b'], 4: ['a'], 5: ['c'] })
    story.submit(1, 2, 3, 4, 5)
    expect(story.running).toEqual(['> 1', '> 2', '2 > 3', '1 > 4', '> 5'])
    story.touches(1, ['a', 'b'])
    expect(story.running).toEqual(['> 2', '2 > 3', '> 5', '2 3 > 1', '2 3 1 > 4'])
    expect(story.stateOf(2)).toBe('TESTING')
    story.pass('> 2')
    story.pass('2 > 3')
    story.pass('2 3 > 1')
    expect(story.merged).toEqual([2, 3, 1])
  })

  // E-143
  test('makes one that has passed wait as well, also for one that a third one puts on top of it', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['b', 'c'], 4: ['c'], 5: ['b'] })
    story.submit(1, 5, 2, 3, 4)
    story.pass('5 > 2')
    story.touches(2, ['b', 'd'])
    expect(story.stateOf(2)).toBe('TESTS_PASSED')
    story.touches(2, ['b', 'a'])
    expect(story.running).toEqual(['> 1', '> 5', '1 5 > 2', '1 5 2 > 3', '1 5 2 3 > 4'])
  })

  // E-143
  test('counts for what has merged beside the run, and for what the run holds in another order', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: 'ALL', 4: ['c'] })
    story.submit(1, 2, 3)
    story.pass('> 2')
    story.touches(1, ['a', 'c'])
    expect(story.running).toEqual(['> 1', '1 2 > 3'])
    story.touches(1, ['a', 'b'])
    expect(story.happened('groupRestarted').map(({ group }) => group)).toEqual([1, 3])
    expect(story.running).toEqual(['> 1', '1 > 3'])
  })

  // E-153
  test('for a member of a bisection keeps those that share it behind the bisection', () => {
    const batches = { batch: true, batchingMinSize: 3 }
    const story = lanes({ 1: ['a'], 2: ['a'], 3: ['a'], 4: ['b'] }, batches)
    story.submit(1, 2, 3)
    story.submitAs(4, { noBatch: true })
    story.fail('> 1 2 3')
    story.touches(1, ['b'])
    story.pass('> 4')
    expect(story.stateOf(4)).toBe('TESTS_PASSED')
    story.pass('bisect > 1')
    expect(story.merged).toEqual([])
  })

  // E-153
  test('for a member of a bisection counts for what has merged beside it', () => {
    const batches = { batch: true, batchingMinSize: 2 }
    const story = lanes({ 1: ['a'], 2: ['a'], 3: ['b'] }, batches)
    story.submit(1, 2)
    story.submitAs(3, { noBatch: true })
    story.fail('> 1 2')
    story.pass('> 3')
    expect(story.merged).toEqual([3])
    story.touches(1, ['c'])
    expect(story.queue.bisections.map(({ isTipMoved }) => isTipMoved)).toEqual([false])
    story.touches(1, ['b'])
    expect(story.queue.bisections.map(({ isTipMoved }) => isTipMoved)).toEqual([true])
  })
})

describe('an upload of fewer or more targets', () => {
  // E-96
  test('with fewer targets keeps the dependency of a group whose run contains it', () => {
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

  // E-96
  test('with fewer targets ends the dependency of a group behind when that group starts again', () => {
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

  // E-63
  test('that removes a predecessor of a lost run starts the count of its retries again', () => {
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

  // E-143
  test('with more targets restarts groups on top, which do not contain its new predecessors', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['b'] })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '> 2', '2 > 3'])
    story.touches(2, ['a', 'b'])
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
  })

  // E-95
  test('with more targets lets a group whose merging has begun advance ahead', () => {
    const story = lanes({ 1: ['a'], 2: ['b'] }, {}, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 2')
    story.touches(2, ['a', 'b'])
    expect(story.running).toEqual(['2 > 1'])
    story.answerMerge(2)
    story.pass('2 > 1')
    story.answerMerge(1)
    expect(story.merged).toEqual([2, 1])
  })

  // E-95
  test('lets a group whose merging has begun advance ahead of a resolved text conflict', () => {
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

  // E-95
  test('lets one of two that merge advance ahead of the rest of a batch that shares a target since', () => {
    const story = threeAndOne()
    story.pass('> 1 2 3')
    story.pass('> 4')
    story.touches(3, ['c'])
    expect(story.happened('groupRestarted')).toEqual([])
    story.cancel(2)
    expect(story.running).toEqual(['1 4 > 3'])
    story.answerMerge(1)
    story.answerMerge(4)
    story.pass('1 4 > 3')
    story.answerMerge(3)
    expect(story.merged).toEqual([1, 4, 3])
  })

  // E-95
  test('with more targets for a batch that merges restarts those that were tested without it', () => {
    const story = threeAndOne()
    story.pass('> 1 2 3')
    story.touches(3, ['c'])
    expect(story.running).toEqual(['1 2 3 > 4'])
    story.cancel(2)
    expect(story.running).toEqual(['1 > 3', '1 3 > 4'])
  })

  // E-94
  test('that contains the name ALL is ALL', () => {
    const story = lanes({ 1: ['a'], 2: ['b'] })
    story.touches(1, ['x', 'ALL'])
    story.submit(1, 2)
    expect(story.running).toEqual(['> 1', '1 > 2'])
    expect(story.queue.impactedTargets[1]).toBe('ALL')
  })

  // E-94
  test('before the submission is kept until the pull request is submitted', () => {
    const story = lanes({ 1: ['a'] })
    story.touches(2, ['a'])
    story.submit(1, 2)
    expect(story.running).toEqual(['> 1', '1 > 2'])
  })
})

describe('an upload of impacted targets for a pull request in the line', () => {
  // E-94, E-143
  test('with ALL while testing waits for all that are tested, and counts for groups that start later', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['c'] })
    story.submit(1, 2)
    story.touches(1, 'ALL')
    story.submit(3)
    expect(story.running).toEqual(['> 2', '2 > 1', '2 1 > 3'])
    story.pass('> 2')
    expect(story.merged).toEqual([2])
    story.pass('2 1 > 3')
    story.pass('2 > 1')
    expect(story.merged).toEqual([2, 1, 3])
    expect(story.happened('groupRestarted').map(({ group }) => group)).toEqual([1])
  })

  // E-143
  test('counts with the old list: a later group depends if it shares a target with either', () => {
    const story = lanes({ 1: ['a'], 2: ['a'], 3: ['b'], 4: ['c'] })
    story.submit(1)
    story.touches(1, ['b'])
    story.submit(2, 3, 4)
    expect(story.running).toEqual(['> 1', '1 > 2', '1 > 3', '> 4'])
  })

  // E-143
  test('waits for one that merges, and a group that waits for its retry waits for it', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['c'] }, {}, { codeHost: 'answers' })
    story.submit(1, 3, 2)
    story.pass('> 3')
    story.error('> 2')
    story.touches(1, 'ALL')
    story.wait(1)
    expect(story.running).toEqual(['3 > 1', '3 1 > 2'])
    story.answerMerge(3)
    expect(story.merged).toEqual([3])
  })

  // E-36, E-94
  test('makes its group restart on top of an urgent pull request that shares the new target', () => {
    const story = lanes({ 1: ['a'], 2: ['b'] })
    story.submit(1)
    story.touches(1, ['a', 'b'])
    story.submitAs(2, { priority: 0 })
    expect(story.running).toEqual(['> 2', '2 > 1'])
  })

  // E-94
  test('that is taken back counts until its group starts again', () => {
    const story = lanes({ 1: ['a'], 2: ['b'] })
    story.submit(1)
    story.touches(1, 'ALL')
    story.touches(1, ['a'])
    story.submit(2)
    expect(story.running).toEqual(['> 1', '1 > 2'])
    story.restart(1)
    story.restart(2)
    expect(story.running).toEqual(['> 1', '> 2'])
  })

  // E-47, E-94, E-143
  test('is not taken by a member that merges while the rest of its batch starts again', () => {
    const story = threeAndOne()
    story.pass('> 1 2 3')
    story.touches(1, ['d'])
    story.cancel(2)
    story.touches(5, ['a'])
    story.touches(6, ['d'])
    story.submitAs(5, { noBatch: true })
    story.submitAs(6, { noBatch: true })
    expect(story.running).toEqual(['> 4', '1 > 3', '1 > 5', '1 > 6'])
  })
  // E-96
  test('by the split of a batch leaves a group behind that contains a part depend on that part', () => {
    const batches = { batch: true, batchingMinSize: 2 }
    const story = lanes({ 1: ['a', 'b'], 2: ['b'], 3: ['a'] }, batches)
    story.submit(1, 2)
    story.submitAs(3, { noBatch: true })
    story.urgent(2)
    story.restart(1)
    expect(story.running).toEqual(['1 2 > 3', '> 1', '1 > 2'])
    story.pass('1 2 > 3')
    story.pass('> 1')
    expect(story.merged).toEqual([1])
    story.pass('1 > 2')
    expect(story.merged).toEqual([1, 2, 3])
  })
})
