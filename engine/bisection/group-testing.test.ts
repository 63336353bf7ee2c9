import { describe, expect, test } from 'vitest'
import { bestFirst, groupTestingTable } from './group-testing.ts'
import { batches, Story } from '../testing/story.ts'
import type { Configuration } from '../model/configuration.ts'

/**
 * The best nested policy by trying every choice: no formula is shared with the table. Returns, for
 * each length of the first test, the expected number of runs to settle `unknown` members, of which
 * the first `failing` are known to fail together (0: none are).
 */
function runsByFirst(p: number): (unknown: number, failing: number) => number[] {
  const known = new Map<string, number>()
  const isBad = (count: number): number => 1 - (1 - p) ** count
  const least = (unknown: number, failing: number): number => {
    if (unknown === 0) return 0
    if (failing === 1) return least(unknown - 1, 0)
    const key = `${unknown} ${failing}`
    const runs = known.get(key) ?? Math.min(...byFirst(unknown, failing))
    known.set(key, runs)
    return runs
  }
  const byFirst = (unknown: number, failing: number): number[] => {
    const most = failing === 0 ? unknown : failing - 1
    return Array.from({ length: most }, (_, index) => {
      const first = index + 1
      const fails = isBad(first) / (failing === 0 ? 1 : isBad(failing))
      const left = Math.max(0, failing - first)
      return 1 + fails * least(unknown, first) + (1 - fails) * least(unknown - first, left)
    })
  }
  return byFirst
}

const shortestOfBest = (costs: readonly number[]): number =>
  1 + costs.findIndex((cost) => cost < Math.min(...costs) + 1e-9)

describe('the optimal nested group test', () => {
  // E-75, E-151
  test.each([0.02, 0.1, 0.15, 0.2, 0.25, 0.3, 0.37, 0.6])(
    'at rate %f no first test costs less, and of equally good ones the shortest is taken',
    (p) => {
      const size = 12
      const table = groupTestingTable(p, size)
      const runs = runsByFirst(p)
      for (let n = 1; n <= size; n++) {
        const settle = runs(n, 0)
        expect(table.settleRuns[n]).toBeCloseTo(Math.min(...settle), 9)
        expect(table.firstOfUnknown[n]).toBe(shortestOfBest(settle))
        if (n === 1) continue
        // The members behind the culprit come on top, whatever is tested first.
        expect(table.firstOfFailing[n]).toBe(shortestOfBest(runs(n, n)))
      }
    },
  )

  // E-75
  test('a large set is tested as a whole while failures are rare', () => {
    expect([33, 100, 400].map((size) => bestFirst(0.001, size, false))).toEqual([33, 100, 400])
  })

  // E-151
  test('a set larger than any table uses the largest entry of the table', () => {
    expect(bestFirst(0.3, 100_000, false)).toBe(bestFirst(0.3, 512, false))
    expect(bestFirst(0.001, 100_000, false)).toBe(512)
  })
})

// E-75
test('the first test of a set is that of the next higher rate of the grid, or of the rate itself', () => {
  let rate = 0.001
  for (let step = 0; step < 100; step++) rate *= 1.02
  expect(bestFirst(rate, 112, true)).toBe(48)
  expect(bestFirst(rate * 1.001, 112, true)).toBe(47)
})

// The failure rate of the queue, seen by the length of the first prefix that it leads to.

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

/** One pull request at a time. At first one in ten counts as broken, and one run in ten as a flake. */
const byOdds = (more: Partial<Configuration> = {}): Story =>
  new Story({ policy: 'adaptive', tipTestMode: 'off', bisectionConcurrency: 1, ...more })

describe('with conviction by odds a single pull request whose tests fail', () => {
  // E-200, E-203
  test('is FAILED at once when so many were broken that its failure is no flake, 10 to 1', () => {
    const story = byOdds()
    for (let number = 1; number <= 8; number++) {
      story.submit(number)
      story.fail(`> ${number}`)
      story.fail(`bisect > ${number}`)
      expect(story.stateOf(number)).toBe('FAILED')
    }
    story.submit(9)
    story.fail('> 9')
    expect(story.stateOf(9)).toBe('FAILED')
    expect(story.happened('bisectionStarted')).toHaveLength(8)
  })

  // E-200, E-204
  test('is FAILED after five failures, however many runs flake', () => {
    const story = byOdds()
    for (let number = 101; number <= 130; number++) {
      story.submit(number)
      story.fail(`> ${number}`)
      story.pass(`bisect > ${number}`)
    }
    story.submit(1)
    story.fail('> 1')
    for (let failures = 2; failures <= 5; failures++) {
      expect(story.stateOf(1)).toBe('TESTING')
      story.fail('bisect > 1')
    }
    expect(story.stateOf(1)).toBe('FAILED')
  })

  // E-201
  test('is FAILED at once if it is urgent', () => {
    const story = byOdds()
    story.urgent(1)
    story.fail('> 1')
    expect(story.stateOf(1)).toBe('FAILED')
  })
})

// E-202, E-203
test('in a bisection with conviction by odds the failure of a longer prefix speaks against a member if the others are few', () => {
  const story = batches(2)
  for (let number = 101; number <= 130; number++) {
    story.submitAs(number, { noBatch: true })
    if (number <= 106) story.fail(`> ${number}`)
    else story.pass(`> ${number}`)
  }
  story.submitTogether(1, 2)
  story.fail('> 1 2')
  story.update({ policy: 'adaptive', tipTestMode: 'off' })
  story.fail('bisect > 1')
  expect(story.stateOf(1)).toBe('FAILED')
})

// E-205
test('a change of the policy counts for a bisection that has begun', () => {
  const story = batches(2)
  story.submitTogether(1, 2)
  story.fail('> 1 2')
  story.update({ policy: 'adaptive' })
  story.fail('bisect > 1')
  expect(story.running).toEqual(['bisect > 1'])
  story.update({ policy: 'documented' })
  story.fail('bisect > 1')
  expect(story.stateOf(1)).toBe('FAILED')
})
