import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('a successor that can give a verdict', () => {
  // E-131
  test('a pull request that starts in the slot of the failed run is awaited', () => {
    const story = new Story({ concurrency: 1, pendingFailureDepth: 1 })
    story.submit(1, 2)
    story.fail('> 1')
    expect(story.states(1, 2)).toEqual(['PENDING_FAILURE', 'TESTING'])
    expect(story.running).toEqual(['1 > 2'])
    story.pass('1 > 2')
    expect(story.states(1, 2)).toEqual(['FAILED', 'TESTING'])
    expect(story.running).toEqual(['> 2'])
  })

  // E-57
  test('when the last successor leaves, the failure counts at once', () => {
    const story = new Story({ concurrency: 2, pendingFailureDepth: 1 })
    story.submit(1, 2)
    story.fail('> 1')
    story.cancel(2)
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-59
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
  test('is over for a run that is lost after it', () => {
    const story = held()
    story.wait(40)
    story.update({ state: 'RUNNING' })
    story.wait(20)
    story.error('1 > 2')
    expect(story.stateOf(1)).toBe('FAILED')
  })

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

describe('anti-flake protection', () => {
  const optimistic = { canOptimisticallyMerge: true, concurrency: 3 }

  // E-51, E-131
  test('a successor whose run was lost clears a flake when it passes', () => {
    const story = new Story({ ...optimistic, pendingFailureDepth: 1 })
    story.submit(1, 2)
    story.fail('> 1')
    story.error('1 > 2')
    story.wait(1)
    story.pass('1 > 2')
    expect(story.merged).toEqual([1, 2])
  })
})
