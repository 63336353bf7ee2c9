import { describe, expect, test } from 'vitest'
import { batches, withGoodRecord, Story } from '../testing/story.ts'

describe('several free slots', () => {
  // E-77
  test('when the rest is not known to fail, the whole rest is one of the prefixes', () => {
    const story = batches(4, { bisectionConcurrency: 3 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.fail('bisect > 1')
    story.fail('bisect > 1 2')
    story.fail('bisect > 1 2 3')
    expect(story.running).toEqual(['bisect > 2', 'bisect > 2 3', 'bisect > 2 3 4'])
  })

  // E-28
  test('a lower bisectionConcurrency stops no run and takes effect at the next start', () => {
    const story = batches(4, { bisectionConcurrency: 3 })
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    story.update({ bisectionConcurrency: 1 })
    expect(story.running).toEqual(['bisect > 1', 'bisect > 1 2', 'bisect > 1 2 3'])
    for (const run of story.running) story.fail(run)
    expect(story.stateOf(1)).toBe('FAILED')
    expect(story.running).toEqual(['bisect > 2'])
  })
})

describe('a bisection run', () => {
  // E-63, E-84
  test.each(['documented', 'adaptive'] as const)(
    'that was lost is repeated at once on request, and its tries are counted anew: %s',
    (policy) => {
      const story = batches(4, { policy, bisectionConcurrency: 1 })
      story.submitTogether(1, 2, 3, 4)
      story.fail('> 1 2 3 4')
      const [lost = ''] = story.running
      const [first = 0] = lost.match(/\d+/g)?.map(Number) ?? []
      for (let tries = 0; tries < 4; tries++) {
        story.error(lost)
        expect(story.running).toEqual([])
        story.restart(first)
        expect(story.running).toEqual([lost])
      }
    },
  )

  // E-84, E-122
  test('that does not contain the pull request is not repeated for it, and the request is accepted', () => {
    const story = withGoodRecord(batches(4))
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2 3 4')
    const [before] = Object.keys(story.queue.testRuns)
    expect(story.restart(4)).toBeNull()
    expect(Object.keys(story.queue.testRuns)).toEqual([before])
    expect(story.happened('restartRequested')).toMatchObject([{ number: 4, state: 'TESTING' }])
  })

  // E-83
  test('that contains a departed member is not repeated after an error', () => {
    const story = batches(2)
    story.submit(1, 2)
    story.fail('> 1 2')
    story.error('bisect > 1')
    story.cancel(1)
    expect(story.running).toEqual(['bisect > 2'])
  })
})

// A proven member leaves while an earlier bisection keeps the survivors of its own from merging.

/** The second of two bisections has proven 5 and 6 together, and then 7. */
function secondBisection(): Story {
  const story = withGoodRecord(batches(4))
  story.update({ batchingMinSize: 5 })
  story.submit(1, 2, 3, 4, 10, 5, 6, 7, 8, 9)
  story.fail('> 1 2 3 4 10')
  story.fail('> 5 6 7 8 9')
  story.update({ bisectionConcurrency: 2 })
  story.pass('bisect > 5 6')
  story.pass('bisect 5 6 > 7')
  expect(story.states(5, 6, 7, 8)).toEqual([
    'TESTS_PASSED',
    'TESTS_PASSED',
    'TESTS_PASSED',
    'TESTING',
  ])
  return story
}

/** The members that the second bisection has proven, and the run that proved the last of them. */
const provenIn = (story: Story): unknown[] => {
  const bisection = story.queue.bisections.find(({ id }) => id === 2)
  return [bisection?.proven, bisection?.provenIn?.tested]
}

// E-90
test('a proven member that leaves opens those again that the same run proved, and all behind it', () => {
  const story = secondBisection()
  story.cancel(6)
  expect(provenIn(story)).toEqual([[], undefined])
  expect(story.states(5, 7, 8)).toEqual(['TESTING', 'TESTING', 'TESTING'])
})

// E-90
test('those handed over that start again behind a merge are not below further runs', () => {
  const story = new Story(
    { batch: true, batchingMinSize: 5, concurrency: 2, bisectionConcurrency: 4 },
    { codeHost: 'answers' },
  )
  story.submit(1, 2, 3, 4, 5)
  story.submitAs(6, { noBatch: true })
  story.fail('> 1 2 3 4 5')
  story.pass('bisect > 1 2')
  story.pass('bisect > 1 2 3')
  // It was tested on their tip.
  story.fail('> 6')
  expect(story.requestedMerges).toEqual([1])
  story.cancel(3)
  expect(story.running).toEqual(['bisect > 1', 'bisect 1 > 4', 'bisect 1 > 4 5', '1 > 2'])
})

describe('a bisection run that cannot change what is known', () => {
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
