import { describe, expect, test } from 'vitest'
import { lanes, Story } from '../testing/story.ts'

const batches = { batch: true } as const

describe('a composition that git cannot build', () => {
  // E-218
  test('a member that the bisection has handed over is FAILED at once, though the other is not merged', () => {
    const bisecting = { batch: true, batchingMinSize: 4, bisectionConcurrency: 1 }
    const story = new Story(bisecting, { codeHost: 'answers' })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.pass('bisect > 1 2')
    expect(story.requestedMerges).toEqual([1])
    story.unbuildable('bisect 1 2 > 3', 2, 1)
    expect(story.states(1, 2)).toEqual(['TESTS_PASSED', 'FAILED'])
  })
})

describe('an unbuildable run of a bisection', () => {
  // E-217
  test('a conflict with another member fails it too', () => {
    const story = new Story({ ...batches, batchingMinSize: 3, bisectionConcurrency: 2 })
    story.submit(1, 2, 3)
    story.fail('> 1 2 3')
    expect(story.running).toEqual(['bisect > 1', 'bisect > 1 2'])
    story.unbuildable('bisect > 1 2', 2, 1)
    expect(story.states(1, 2)).toEqual(['TESTING', 'FAILED'])
  })

  // E-85, E-217
  test('a run that cannot change what is known only ends', () => {
    const story = new Story({ ...batches, batchingMinSize: 3, bisectionConcurrency: 2 })
    story.submit(1, 2, 3)
    story.fail('> 1 2 3')
    story.pass('bisect > 1 2')
    expect(story.running).toContain('bisect > 1')
    expect(story.unbuildable('bisect > 1', 1, 'tip')).toBeNull()
    expect(story.running).not.toContain('bisect > 1')
    expect(story.stateOf(1)).not.toBe('FAILED')
  })
})

describe('a report that cannot be true', () => {
  const two = (): Story => {
    const story = new Story({ concurrency: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    return story
  }

  // E-215, E-218
  test('the same report again is refused, because the run is over', () => {
    const story = two()
    const report = { type: 'reportUnbuildable', testRun: 2, number: 2, conflictsWith: 1 } as const
    expect(story.send(report)).toBeNull()
    const started = story.started.length
    expect(story.send(report)).toEqual({ code: 'test run is over' })
    expect(story.started).toHaveLength(started)
  })

  // E-218
  test('both pull requests must be in the run, in this order', () => {
    const story = two()
    const refusal = (number: number) => ({ code: 'not in the test run', number })
    expect(story.unbuildable('1 > 2', 3, 'tip')).toEqual(refusal(3))
    expect(story.unbuildable('1 > 2', 2, 3)).toEqual(refusal(3))
    expect(story.unbuildable('1 > 2', 1, 2)).toEqual(refusal(2))
    expect(story.unbuildable('1 > 2', 2, 2)).toEqual(refusal(2))
    expect(story.running).toEqual(['> 1', '1 > 2'])
  })

  // E-218
  test('not while the code host is merging it, nor after it has merged', () => {
    const story = two()
    story.pass('> 1')
    const merging = story.unbuildable('1 > 2', 1, 'tip')
    expect(merging).toEqual({ code: 'merge under way', number: 1 })
    story.answerMerge(1)
    expect(story.unbuildable('1 > 2', 1, 'tip')).toEqual({ code: 'not in queue', number: 1 })
    expect(story.running).toEqual(['1 > 2'])
  })
})

describe('a text conflict', () => {
  // E-21, E-66
  test('with the tip makes the pull request FAILED through TESTING, without a run', () => {
    const story = new Story()
    story.submit(1)
    story.pass('> 1')
    story.conflict(2, 1)
    story.submit(2)
    expect(story.stateOf(2)).toBe('FAILED')
    expect(story.reasonOf(2)).toBe('START_TEST_RUN_MERGE_CONFLICT')
    const ofNoRun = { failedIn: null, passedWithout: null, failedTests: [] }
    expect(story.queue.pullRequests[2]?.evidence).toEqual(ofNoRun)
    expect(story.started).toEqual(['> 1'])
  })

  // E-9, E-68
  test.each([2, 1])('frees who waits because of it, when a report about %i ends it', (number) => {
    const story = new Story({ concurrency: 3 })
    story.conflict(2, 1)
    story.submit(1, 2, 3)
    expect(story.states(2, 3)).toEqual(['PENDING_FAILURE', 'TESTING'])
    expect(story.running).toEqual(['> 1', '1 > 3'])
    story.conflict(number)
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
    story.pass('> 1')
    expect(story.states(1, 2)).toEqual(['MERGED', 'TESTING'])
  })

  // E-68, E-216
  test('that the build has found ends with such a report as well', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.unbuildable('1 > 2', 2, 1)
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    story.conflict(3)
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    story.conflict(2)
    expect(story.running).toEqual(['> 1', '1 > 2'])
  })

  // E-310
  test('of one that waits stays when others come below it, and who left it out runs on', () => {
    const story = lanes({ 1: ['api'], 2: ['api', 'web'], 3: ['web'], 4: ['docs'], 5: ['api'] })
    story.conflict(2, 1)
    story.submit(1, 2, 3, 4)
    story.touches(4, ['docs', 'api'])
    story.urgent(5)
    expect(story.stateOf(2)).toBe('PENDING_FAILURE')
    expect(story.running).toEqual(['> 3', '> 5', '5 > 1', '5 1 > 4'])
    expect(story.started.filter((run) => run === '> 3')).toEqual(['> 3'])
    story.cancel(1)
    expect(story.running).toEqual(['> 5', '5 > 2', '5 2 > 3', '5 2 > 4'])
  })
})
