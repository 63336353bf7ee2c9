import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('a failure', () => {
  // E-6, E-54, E-60
  test('of the first group makes it FAILED, and the groups behind restart without it', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(1, 2, 3)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.reasonOf(1)).toBe('TEST_RUN_REQUIRED_STATUS_FAILED')
    expect(story.running).toEqual(['> 2', '2 > 3'])
  })

  // E-55
  test('does not count when a predecessor leaves without merging: the group restarts', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(1, 2, 3)
    story.fail('1 2 > 3')
    story.fail('> 1')
    expect(story.states(1, 2, 3)).toEqual(['FAILED', 'TESTING', 'TESTING'])
    expect(story.running).toEqual(['> 2', '2 > 3'])
  })

  // E-54
  test('does not count while a predecessor has passed but not merged', () => {
    const story = new Story({ concurrency: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('> 1')
    story.fail('1 > 2')
    expect(story.states(1, 2)).toEqual(['TESTS_PASSED', 'PENDING_FAILURE'])
    story.answerMerge(1, 'PR_UPDATED_AT_MERGE_TIME')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.running).toEqual(['> 2'])
  })
})

describe('optimistic merging', () => {
  const optimistic = { canOptimisticallyMerge: true, concurrency: 3 }

  test('a group that waits for the repetition of its run is cleared too', () => {
    const story = new Story(optimistic)
    story.submit(1, 2)
    story.error('> 1')
    expect(story.stateOf(1)).toBe('PENDING')
    story.pass('1 > 2')
    expect(story.merged).toEqual([1, 2])
  })

  // E-49, E-53
  test('off: a later group that passes waits in TESTS_PASSED until the hold has ended', () => {
    const story = new Story({ concurrency: 2, pendingFailureDepth: 2 })
    story.submit(1, 2, 3)
    story.pass('1 > 2')
    expect(story.states(1, 2)).toEqual(['TESTING', 'TESTS_PASSED'])
    story.fail('> 1')
    expect(story.states(1, 2, 3)).toEqual(['PENDING_FAILURE', 'TESTS_PASSED', 'TESTING'])
    expect(story.merged).toEqual([])
  })

  // E-52
  test('on: while a batch is bisected, groups behind it continue and merge as they pass', () => {
    const story = new Story({ ...optimistic, batch: true, batchingMinSize: 2 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2')
    story.pass('> 3 4')
    expect(story.merged).toEqual([3, 4])
    expect(story.states(1, 2)).toEqual(['TESTING', 'TESTING'])
  })
})
