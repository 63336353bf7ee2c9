/** A proven member leaves while an earlier bisection keeps the survivors of its own from merging. */

import { describe, expect, test } from 'vitest'
import { batches, withGoodRecord } from '../testing/batches.ts'
import type { Story } from '../testing/story.ts'

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

describe('a proven member that leaves', () => {
  // E-90
  test('takes along only the proofs that held it: those before it stay', () => {
    const story = secondBisection()
    expect(provenIn(story)).toEqual([[5, 6, 7], [7]])
    story.cancel(7)
    expect(provenIn(story)).toEqual([
      [5, 6],
      [5, 6],
    ])
    expect(story.states(5, 6, 8)).toEqual(['TESTS_PASSED', 'TESTS_PASSED', 'TESTING'])
  })

  // E-90
  test('opens those again that the same run proved, and all behind it', () => {
    const story = secondBisection()
    story.cancel(6)
    expect(provenIn(story)).toEqual([[], undefined])
    expect(story.states(5, 7, 8)).toEqual(['TESTING', 'TESTING', 'TESTING'])
  })

  // E-90
  test('an open member that leaves takes no proof along', () => {
    const story = secondBisection()
    story.cancel(9)
    story.cancel(8)
    expect(story.running).toEqual(['bisect > 1 2', '> 5 6 7'])
    const reopened = story
      .happened('pullRequestMoved')
      .filter(({ reason }) => reason === 'PREREQUISITE_MERGE_ITEM_CANCELLED')
    expect(reopened).toEqual([])
    expect(story.happened('memberDeparted')).toHaveLength(2)
  })
})
