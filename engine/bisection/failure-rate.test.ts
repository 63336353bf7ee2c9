/** The failure rate of the queue, seen by the length of the first prefix that it leads to. */

import { describe, expect, test } from 'vitest'
import { batches } from '../testing/batches.ts'
import { Story } from '../testing/story.ts'

/** The length of the first prefix of a failed batch of this size, after what the queue has judged. */
function firstPrefix(size: number, judged: { failed: number; merged: number }): number {
  const story = batches(size)
  story.update({ batchingMinSize: 1 })
  for (let number = 1; number <= judged.failed + judged.merged; number++) {
    story.submit(number)
    if (number <= judged.failed) story.fail(`> ${number}`)
    else story.pass(`> ${number}`)
  }
  story.update({ batchingMinSize: size })
  const members = Array.from({ length: size }, (_, index) => 101 + index)
  story.submit(...members)
  story.fail(`> ${members.join(' ')}`)
  const [prefix = ''] = story.running
  expect(prefix).toMatch(/^bisect > 101\b/)
  return prefix.split(' ').length - 'bisect >'.split(' ').length
}

describe('with one slot, the first prefix of a failed batch', () => {
  // E-75
  test.each([
    // The rate is (1 + failed) / (10 + judged).
    { failed: 0, merged: 0, size: 8, expected: 4 },
    { failed: 1, merged: 0, size: 9, expected: 3 },
    { failed: 2, merged: 0, size: 4, expected: 1 },
    { failed: 1, merged: 1, size: 8, expected: 3 },
    { failed: 0, merged: 10, size: 15, expected: 7 },
  ])('of $size, after $failed failed and $merged merged, has $expected', (given) => {
    const { size, expected } = given
    expect(firstPrefix(size, given)).toBe(expected)
  })
})

describe('judged is who failed by a run', () => {
  // E-159
  test.each([
    ['TEST_RUN_REQUIRED_STATUS_FAILED', (story: Story) => story.fail('> 1')],
    ['TEST_RUN_TIMEOUT', (story: Story) => story.wait(60)],
    [
      'START_TEST_RUN_RETRY_EXHAUSTED',
      (story: Story) => {
        for (let attempt = 1; attempt <= 3; attempt++) {
          story.error('> 1')
          story.wait(5)
        }
      },
    ],
  ] as const)('%s counts as a failure', (reason, failing) => {
    const story = new Story({ testingTimeoutMinutes: 60 })
    story.submit(1)
    failing(story)
    expect(story.reasonOf(1)).toBe(reason)
    expect(story.queue.judged).toEqual({ count: 1, failed: 1 })
  })

  // E-159
  test('and so is one that is convicted by elimination', () => {
    const story = batches(2)
    story.submit(1, 2)
    story.fail('> 1 2')
    story.update({ state: 'PAUSED' })
    story.pass('bisect > 1')
    expect(story.reasonOf(2)).toBe('TEST_RUN_FAILED_BY_OPTIMIZATION')
    expect(story.queue.judged).toEqual({ count: 1, failed: 1 })
  })
})
