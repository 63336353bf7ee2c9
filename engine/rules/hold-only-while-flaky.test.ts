import { describe, expect, test } from 'vitest'
import type { Configuration } from '../model/configuration.ts'
import { Story } from '../testing/story.ts'

/** A single failure is looked at once more, so that a flake is found out: then two runs of twelve flake. */
const settings = {
  concurrency: 3,
  pendingFailureDepth: 1,
  policy: 'adaptive',
} as const

/** A queue in which one pull request has flaked, and nothing else has run. */
function flaky(more: Partial<Configuration> = {}): Story {
  const story = new Story({ ...settings, ...more })
  story.touches(101, ['c'])
  story.submit(101)
  story.fail('> 101')
  story.pass('bisect > 101')
  return story
}

describe('failures that are held only while runs flake', () => {
  // E-226
  test('without a flake a failure is acted upon at once, although a successor is tested', () => {
    const story = new Story(settings)
    story.submit(1, 2)
    story.fail('> 1')
    expect(story.running).toEqual(['bisect > 1', '> 2'])
    expect(story.happened('holdStarted')).toEqual([])
  })

  // E-56, E-204, E-226
  test('when more than one run in ten flakes, it is held until a successor has spoken', () => {
    const story = flaky()
    story.submit(1, 2)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    expect(story.happened('holdStarted')).toHaveLength(1)
    story.fail('1 > 2')
    expect(story.stateOf(1)).toBe('TESTING')
    expect(story.happened('bisectionStarted')).toHaveLength(2)
  })

  // E-204, E-226
  test('at exactly one run in ten it is not held', () => {
    const story = flaky()
    for (let number = 1; number <= 8; number++) {
      story.submit(number)
      story.pass(`> ${number}`)
    }
    // One flake and nine passes: two of twenty.
    story.submit(11, 12)
    story.fail('> 11')
    expect(story.happened('holdStarted')).toEqual([])
    expect(story.stateOf(11)).toBe('TESTING')
  })

  // E-204, E-226
  test('a pass on another base that makes runs flake less ends a hold that has begun', () => {
    const story = flaky({ mode: 'parallel' })
    for (const number of [1, 2, 11, 12]) story.touches(number, [number > 10 ? 'a' : 'b'])
    for (let number = 21; number <= 27; number++) {
      story.touches(number, ['c'])
      story.submit(number)
      story.pass(`> ${number}`)
    }
    story.submit(1, 11, 12)
    story.fail('> 11')
    expect(story.stateOf(11)).toBe('PENDING_FAILURE')
    story.pass('> 1')
    expect(story.stateOf(11)).toBe('TESTING')
    expect(story.running).toContain('bisect > 11')
  })

  // E-187, E-226
  test('on a quiet queue it steps aside, and where runs flake it stays', () => {
    const aside = { policy: 'adaptive', canOptimisticallyMerge: true } as const
    const quiet = new Story({ ...settings, ...aside })
    quiet.submit(1, 2, 3)
    quiet.fail('1 > 2')
    expect(quiet.running).toEqual(['> 1', '1 > 3'])
    const story = flaky(aside)
    story.submit(1, 2, 3)
    story.fail('1 > 2')
    expect(story.running).toEqual(['> 1', '1 2 > 3'])
  })

  // E-226
  test('under the documented policy failures are held on a quiet queue as well', () => {
    const story = new Story({ ...settings, policy: 'documented' })
    story.submit(1, 2)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
  })

  // E-226
  test('a depth of 0 holds nothing, however many runs flake', () => {
    const story = flaky({ pendingFailureDepth: 0 })
    story.submit(1, 2)
    story.fail('> 1')
    expect(story.happened('holdStarted')).toEqual([])
  })
})
