import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('pending failure depth', () => {
  // E-56, E-57, E-117
  test('when as many successors as the depth have given a verdict, the failure counts', () => {
    const story = new Story({ concurrency: 4, pendingFailureDepth: 2 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.fail('1 > 2')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.fail('1 2 > 3')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.running).toEqual(['> 2', '2 > 3', '2 3 > 4'])
  })

  // E-56
  test('verdicts count in the order in which they come, not in the order of the line', () => {
    const story = new Story({ concurrency: 4, pendingFailureDepth: 1 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1')
    story.pass('1 2 3 > 4')
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-56
  test('a timeout of a successor is a verdict', () => {
    const story = new Story({ concurrency: 2, pendingFailureDepth: 1, testingTimeoutMinutes: 60 })
    story.submit(1)
    story.wait(20)
    story.submit(2)
    story.fail('> 1')
    story.wait(59)
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.wait(1)
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-56
  test('a verdict that a successor gave before counts', () => {
    const story = new Story({ concurrency: 3, pendingFailureDepth: 2 })
    story.submit(1, 2, 3)
    story.fail('1 > 2')
    story.pass('1 2 > 3')
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.running).toEqual(['> 2', '2 > 3'])
  })

  // E-56, E-59
  test('the verdict of a successor that is tested again does not count any more', () => {
    const story = new Story({ concurrency: 3, pendingFailureDepth: 2 })
    story.submit(1, 2, 3)
    story.fail('> 1')
    story.pass('1 > 2')
    story.restart(2)
    story.fail('1 2 > 3')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.fail('1 > 2')
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-57
  test('without successors there is no hold', () => {
    const story = new Story({ pendingFailureDepth: 3 })
    story.submit(1)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.happened('holdStarted')).toEqual([])
  })

  // E-57
  test('a depth above the number of successors waits for all successors', () => {
    const story = new Story({ concurrency: 3, pendingFailureDepth: 50 })
    story.submit(1, 2, 3)
    story.fail('> 1')
    story.fail('1 > 2')
    expect(story.stateOf(1)).toBe('PENDING_FAILURE')
    story.fail('1 2 > 3')
    expect(story.stateOf(1)).toBe('FAILED')
  })
})
