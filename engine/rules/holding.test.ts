import { expect, test, describe } from 'vitest'
import { Story, lanes } from '../testing/story.ts'

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
  })
})

describe('a successor that can give a verdict', () => {
  // E-59, E-107
  test('a restart request during the hold restarts the run', () => {
    const story = new Story({ concurrency: 2, pendingFailureDepth: 1 })
    story.submit(1, 2)
    story.fail('> 1')
    expect(story.restart(1)).toBeNull()
    expect(story.running).toEqual(['1 > 2', '> 1'])
    story.pass('> 1')
    expect(story.merged).toEqual([1])
  })

  // E-134
  test('a changed depth counts for a hold that has begun', () => {
    const story = new Story({ concurrency: 3, pendingFailureDepth: 1 })
    story.submit(1, 2, 3)
    story.fail('> 1')
    story.update({ pendingFailureDepth: 2 })
    story.fail('1 > 2')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.update({ pendingFailureDepth: 0 })
    expect(story.stateOf(1)).toBe('FAILED')
  })
})

describe('the longest wait for a successor without a run', () => {
  const settings = { concurrency: 2, pendingFailureDepth: 1, testingTimeoutMinutes: 60 }

  /** 1 has failed, 2 is to be tested again on top of it, and nothing starts. */
  function held(): Story {
    const story = new Story(settings)
    story.submit(1, 2)
    story.fail('> 1')
    story.wait(10)
    story.update({ state: 'PAUSED' })
    story.restart(2)
    return story
  }

  // E-133
  test('begins anew with another failure of the group', () => {
    const story = held()
    story.update({ state: 'RUNNING' })
    story.restart(1)
    story.wait(20)
    story.fail('> 1')
    story.update({ state: 'PAUSED' })
    story.restart(2)
    story.wait(59)
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.wait(1)
    expect(story.stateOf(1)).toBe('FAILED')
  })
})
