import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'
import type { Story } from '../testing/story.ts'

describe('a hold in parallel mode', () => {
  // E-58
  test('of several failures that are due the first in the line is settled first', () => {
    const story = lanes(
      { 1: 'ALL', 2: ['web'], 3: ['web'], 4: [], 5: 'ALL' },
      { pendingFailureDepth: 2 },
    )
    story.submit(1, 2, 3, 4, 5)
    story.pass('1 2 3 4 > 5')
    story.fail('1 > 2')
    story.fail('1 > 4')
    story.fail('1 2 > 3')
    story.pass('> 1')
    expect(story.states(2, 4)).toEqual(['FAILED', 'PENDING_FAILURE'])
    expect(story.running).toEqual(['> 3', '3 4 > 5'])
    story.pass('3 4 > 5')
    expect(story.stateOf(4)).toBe('FAILED')
  })

  // E-131
  test('awaits a group that waits for a slot, only if it depends on the failed one', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['a'] }, { pendingFailureDepth: 1 })
    story.submit(1, 2, 3)
    story.error('1 > 3')
    story.fail('> 1')
    story.fail('> 2')
    expect(story.states(1, 2)).toEqual(['PENDING_FAILURE', 'FAILED'])
  })

  // E-56
  test('a verdict of another lane does not count', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['b'], 4: ['a'] }, { pendingFailureDepth: 1 })
    story.submit(1, 2, 3, 4)
    story.pass('2 > 3')
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
  })

  describe('while other lanes hold every slot', () => {
    /** 1 fails, and the only other slot belongs to 2. These wait to start. */
    function full(targets: Record<number, string[]>, batch = false): Story {
      const numbers = Object.keys(targets).map(Number)
      const batching = { batch, batchingMinSize: 2 }
      const story = lanes(
        { 1: ['a'], 2: ['b'], ...targets },
        { concurrency: 2, pendingFailureDepth: 1, ...batching },
      )
      story.submitAs(1, { noBatch: true })
      story.submitAs(2, { noBatch: true })
      story.update({ concurrency: 1 })
      story.submit(...numbers)
      story.fail('> 1')
      return story
    }

    // E-131, E-132
    test('awaits a pull request that shares a target', () => {
      expect(full({ 3: ['a'] }).stateOf(1)).toBe('PENDING_FAILURE')
      expect(full({ 3: ['c'] }).stateOf(1)).toBe('FAILED')
    })

    // E-132
    test('awaits a batch that fills behind a full one only until that one has started', () => {
      const story = full({ 3: ['c'], 4: ['c', 'd'], 5: ['d', 'a'] }, true)
      expect(story.stateOf(1)).toBe('PENDING_FAILURE')
      story.update({ concurrency: 2 })
      expect(story.running).toEqual(['> 2', '> 3 4'])
      expect(story.states(1, 5)).toEqual(['FAILED', 'PENDING'])
    })

    // E-132
    test('with ALL awaits whichever starts next, also beside a batch that fills', () => {
      const story = lanes(
        { 1: 'ALL', 2: ['a'], 3: ['a'], 4: ['b'] },
        { concurrency: 1, pendingFailureDepth: 1, batch: true, batchingMinSize: 2 },
      )
      story.submitAs(1, { noBatch: true })
      story.submit(2, 3, 4)
      story.fail('> 1')
      expect(story.stateOf(1)).toBe('PENDING_FAILURE')
      expect(story.running).toEqual(['1 > 2 3'])
    })

    // E-132
    test('does not await the order while the queue starts nothing new', () => {
      const story = full({ 3: ['a'] })
      story.update({ state: 'DRAINING' })
      expect(story.stateOf(1)).toBe('FAILED')
    })
  })
})
