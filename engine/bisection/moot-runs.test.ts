import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

/** A batch of four is bisected by three concurrent runs; the longest one has passed. */
function decidedEarly(): Story {
  const story = new Story({ batch: true, batchingMinSize: 4, bisectionConcurrency: 3 })
  story.submit(1, 2, 3, 4)
  story.fail('> 1 2 3 4')
  story.pass('bisect > 1 2 3')
  return story
}

describe('a bisection run that cannot change what is known', () => {
  // E-85
  test('may end after its bisection, and frees its slot then', () => {
    const story = decidedEarly()
    expect(story.queue.bisections).toEqual([])
    expect(story.queue.slots.bisection).toBe(2)
    story.fail('bisect > 1')
    expect(story.queue.slots.bisection).toBe(1)
    expect(story.merged).toEqual([1, 2, 3])
  })

  // E-84, E-85
  test('is not repeated when a restart is requested for a member that it holds', () => {
    const story = new Story({ batch: true, batchingMinSize: 3, bisectionConcurrency: 5 })
    story.submit(1, 2, 3)
    story.fail('> 1 2 3')
    story.fail('bisect > 1')
    story.fail('bisect > 1 2')
    expect(story.running).toEqual(['bisect > 2', 'bisect > 2 3'])
    story.restart(2)
    const restarted = story.happened('testRunCancelled').map(({ testRun }) => testRun)
    expect(restarted).toEqual([4, 5])
    expect(story.running).toEqual(['bisect > 2', 'bisect > 2 3'])
  })
})

// E-84
test('a bisection run that can still change what is known is repeated beside the others', () => {
  const story = new Story({ batch: true, batchingMinSize: 3, bisectionConcurrency: 5 })
  story.submit(1, 2, 3)
  story.fail('> 1 2 3')
  expect(story.running).toEqual(['bisect > 1', 'bisect > 1 2'])
  story.restart(3)
  expect(story.running).toEqual(['bisect > 1', 'bisect > 1 2'])
  story.restart(2)
  expect(story.running.filter((run) => run === 'bisect > 1 2')).toHaveLength(1)
})
