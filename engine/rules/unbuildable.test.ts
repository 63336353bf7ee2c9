import { describe, expect, test } from 'vitest'
import { lanes } from '../testing/lanes.ts'
import { Story } from '../testing/story.ts'

const batches = { batch: true } as const

describe('a composition that git cannot build', () => {
  // E-215, E-217
  test('conflict with the tip: it is FAILED at once, and those behind restart without it', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    expect(story.unbuildable('> 1', 1, 'tip')).toBeNull()
    expect(story.states(1, 2)).toEqual(['FAILED', 'TESTING'])
    expect(story.reasonOf(1)).toBe('START_TEST_RUN_MERGE_CONFLICT')
    expect(story.queue.pullRequests[1]?.evidence).toEqual({
      failedIn: null,
      passedWithout: null,
      failedTests: [],
    })
    expect(story.running).toEqual(['> 2'])
    expect(story.happened('testRunFinished')).toEqual([])
  })

  // E-215, E-216
  test('conflict with one ahead: it waits, and is FAILED when that one merges', () => {
    const story = new Story({ concurrency: 3 })
    story.submit(1, 2, 3)
    story.unbuildable('1 > 2', 2, 1)
    expect(story.states(1, 2, 3)).toEqual(['TESTING', 'PENDING_FAILURE', 'TESTING'])
    expect(story.running).toEqual(['> 1', '1 > 3'])
    story.pass('> 1')
    expect(story.states(1, 2)).toEqual(['MERGED', 'FAILED'])
    expect(story.running).toEqual(['1 > 3'])
  })

  // E-217
  test('conflict with one that has merged since: it is FAILED at once, and never waits', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.pass('> 1')
    expect(story.running).toEqual(['1 > 2'])
    story.unbuildable('1 > 2', 2, 1)
    expect(story.stateOf(2)).toBe('FAILED')
    expect(story.happened('groupConflicted')).toEqual([])
  })

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

  // E-68, E-216
  test('it is tested when the one ahead leaves, and built anew: the fact is not kept', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.unbuildable('1 > 2', 2, 1)
    story.cancel(1)
    expect(story.running).toEqual(['> 2'])
    expect(story.queue.hostFacts).toEqual({})

    story.submit(1)
    expect(story.running).toEqual(['> 2', '2 > 1'])
  })

  // E-216
  test('in a PAUSED queue it waits at once, and nothing starts', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.update({ state: 'PAUSED' })
    story.unbuildable('1 > 2', 2, 1)
    expect(story.states(1, 2)).toEqual(['TESTING', 'PENDING_FAILURE'])
  })

  // E-69, E-216
  test('a member of a batch leaves it, and the others are tested without it', () => {
    const story = new Story({ ...batches, batchingMinSize: 3 })
    story.submit(1, 2, 3)
    story.unbuildable('> 1 2 3', 2, 1)
    expect(story.states(1, 2, 3)).toEqual(['TESTING', 'PENDING_FAILURE', 'TESTING'])
    expect(story.running).toEqual(['> 1 3'])
  })

  // E-217
  test('a member of a batch that conflicts with the tip is FAILED, and the others go on', () => {
    const story = new Story({ ...batches, batchingMinSize: 3 })
    story.submit(1, 2, 3)
    story.unbuildable('> 1 2 3', 2, 'tip')
    expect(story.stateOf(2)).toBe('FAILED')
    expect(story.running).toEqual(['> 1 3'])
  })

  // E-217
  test('it is FAILED if the one below it has merged since', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.pass('> 1')
    story.unbuildable('1 > 2', 2, 1)
    expect(story.states(1, 2)).toEqual(['MERGED', 'FAILED'])
  })

  // E-216
  test('two of other lanes below it: the later one waits, and the run is made without it', () => {
    const targets = { 1: ['a'], 2: ['b'], 3: ['a', 'b'] }
    const story = lanes(targets, { concurrency: 3 })
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '> 2', '1 2 > 3'])
    story.unbuildable('1 2 > 3', 2, 1)
    expect(story.states(1, 2, 3)).toEqual(['TESTING', 'PENDING_FAILURE', 'TESTING'])
    expect(story.running).toEqual(['> 1', '1 > 3'])
    story.cancel(1)
    expect(story.running).toEqual(['> 2', '2 > 3'])
  })
})

describe('an unbuildable run of a bisection', () => {
  const bisected = (): Story => {
    const story = new Story({ ...batches, batchingMinSize: 3, bisectionConcurrency: 1 })
    story.submit(1, 2, 3)
    story.fail('> 1 2 3')
    return story
  }

  // E-90, E-217
  test('the member is FAILED, and the search goes on with the rest', () => {
    const story = bisected()
    const [run = ''] = story.running
    expect(run).toBe('bisect > 1')
    story.unbuildable(run, 1, 'tip')
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.reasonOf(1)).toBe('START_TEST_RUN_MERGE_CONFLICT')
    expect(story.happened('memberDeparted')).toMatchObject([{ number: 1 }])
    expect(story.running).toHaveLength(1)
    story.pass(story.running[0] ?? '')
    for (let runs = 0; story.running.length > 0 && runs < 5; runs++)
      story.pass(story.running[0] ?? '')
    expect(story.states(2, 3)).toEqual(['MERGED', 'MERGED'])
  })

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
