import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

/** A batch of four in one round of three runs, of which the longest has just passed. */
function decidedEarly(): Story {
  const story = new Story({ batch: true, batchingMinSize: 4, bisectionConcurrency: 3 })
  story.submit(1, 2, 3, 4)
  story.fail('> 1 2 3 4')
  story.pass('bisect > 1 2 3')
  return story
}

describe('a bisection run that can change nothing any more', () => {
  test('outlives its bisection and frees its slot when it ends', () => {
    const story = decidedEarly()
    expect(story.queue.bisections).toEqual([])
    expect(story.queue.slots.bisection).toBe(2)
    story.fail('bisect > 1')
    expect(story.queue.slots.bisection).toBe(1)
    expect(story.merged).toEqual([1, 2, 3])
  })

  test('is not made again when it errors', () => {
    const story = decidedEarly()
    story.error('bisect > 1')
    story.error('bisect > 1 2')
    story.wait(10)
    expect(story.running).toEqual([])
  })

  test('is not waited for when an error of it is to be repeated', () => {
    const story = new Story({ batch: true, batchingMinSize: 4, bisectionConcurrency: 3 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.error('bisect > 1')
    story.pass('bisect > 1 2 3')
    expect(story.stateOf(4)).toBe('FAILED')
    story.wait(10)
    expect(story.running).toEqual(['bisect > 1 2'])
  })
})
