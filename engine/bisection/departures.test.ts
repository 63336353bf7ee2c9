/** A proven member leaves while an earlier bisection keeps the survivors of its own from merging. */

import { expect, test } from 'vitest'
import { batches, withGoodRecord } from '../testing/batches.ts'
import { Story } from '../testing/story.ts'

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
