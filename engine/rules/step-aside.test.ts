import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

const aside = { concurrency: 4, policy: 'adaptive', canOptimisticallyMerge: true } as const

describe('a failure that steps aside', () => {
  // E-187
  test('is left out by those behind at once, before it is its own', () => {
    const story = new Story(aside)
    story.submit(1, 2, 3, 4)
    story.fail('1 > 2')
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    expect(story.running).toEqual(['> 1', '1 > 3', '1 3 > 4'])
  })

  // E-187, E-228
  test('does not step aside under the documented policy', () => {
    const story = new Story({ ...aside, policy: 'documented' })
    story.submit(1, 2, 3)
    story.fail('1 > 2')
    expect(story.running).toEqual(['> 1', '1 2 > 3'])
  })

  // E-188
  test('without optimistic merging, nobody merges past it before it is settled', () => {
    const story = new Story({ ...aside, canOptimisticallyMerge: false }, { codeHost: 'answers' })
    story.submit(1, 2, 3)
    story.fail('1 > 2')
    story.pass('1 > 3')
    story.pass('> 1')
    expect(story.requestedMerges).toEqual([1])
    story.answerMerge(1)
    expect(story.requestedMerges).toEqual([1])
    story.fail('bisect > 2')
    expect(story.states(2, 3)).toEqual(['FAILED', 'TESTS_PASSED'])
    expect(story.requestedMerges).toEqual([1, 3])
  })

  // E-193
  test('convicts nobody once another commit has come between: the tests run again', () => {
    const story = new Story(aside)
    story.submit(1, 2, 3)
    story.fail('1 > 2')
    // The run of 3 clears 1, so both merge at once, and 3 was not in the run of 2.
    story.pass('1 > 3')
    expect(story.states(1, 2, 3)).toEqual(['MERGED', 'TESTING', 'MERGED'])
    expect(story.running).toEqual(['bisect > 2'])
    story.pass('bisect > 2')
    expect(story.stateOf(2)).toBe('MERGED')
  })

  // E-193, E-306
  test('speaks against it all the same when it fails once more', () => {
    const story = new Story(aside)
    story.submit(1, 2, 3)
    story.fail('1 > 2')
    story.pass('1 > 3')
    story.fail('bisect > 2')
    expect(story.stateOf(2)).toBe('FAILED')
  })

  // E-194
  test('given a predecessor that leaves, it restarts at the end of the line', () => {
    const story = new Story(aside)
    story.submit(1, 2, 3, 4)
    story.fail('1 > 2')
    story.cancel(1)
    expect(story.running).toEqual(['> 3', '3 > 4', '3 4 > 2'])
  })
})
