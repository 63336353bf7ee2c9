import { describe, expect, test } from 'vitest'
import { Story } from '../testing/story.ts'

describe('errors and timeouts', () => {
  // E-61
  test('a lost run is repeated after 1 and after 5 minutes, then it counts as failed', () => {
    const story = new Story()
    story.submit(1)
    story.error('> 1')
    expect(story.states(1)).toEqual(['PENDING'])
    expect(story.reasonOf(1)).toBe('TEST_RUNNER_ERROR')
    story.wait(0.9)
    expect(story.running).toEqual([])
    story.wait(0.1)
    expect(story.running).toEqual(['> 1'])
    story.error('> 1')
    story.wait(4.9)
    expect(story.running).toEqual([])
    story.wait(0.1)
    story.error('> 1')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.reasonOf(1)).toBe('START_TEST_RUN_RETRY_EXHAUSTED')
    expect(story.started).toHaveLength(3)
  })

  // E-62
  test('a group that waits for a retry keeps its position, and other groups use its slot', () => {
    const story = new Story({ concurrency: 1 })
    story.submit(1, 2)
    story.error('> 1')
    expect(story.running).toEqual(['1 > 2'])
    story.wait(2)
    expect(story.running).toEqual(['1 > 2'])
    story.pass('1 > 2')
    expect(story.running).toEqual(['> 1'])
    story.pass('> 1')
    expect(story.merged).toEqual([1, 2])
  })

  // E-63
  test('when the composition changes, the run starts at once and the count of retries starts at 0', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.error('1 > 2')
    story.cancel(1)
    expect(story.running).toEqual(['> 2'])
    expect(Object.values(story.queue.testRuns)[0]?.attempt).toBe(0)
  })

  // E-64
  test('a run that reaches the timeout is cancelled and counts as failed', () => {
    const story = new Story({ testingTimeoutMinutes: 30 })
    story.submit(1)
    story.wait(29.9)
    expect(story.stateOf(1)).toBe('TESTING')
    story.wait(0.1)
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.reasonOf(1)).toBe('TEST_RUN_TIMEOUT')
  })

  // E-65
  test('a result for a run that was replaced or is over is rejected', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.cancel(1)
    const late = story.send({ type: 'finishTestRun', testRun: 2, outcome: 'failed' })
    expect(late).toEqual({ code: 'test run is over' })
    expect(story.states(1, 2)).toEqual(['CANCELLED', 'TESTING'])
  })
})
