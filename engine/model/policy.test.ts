import { expect, test } from 'vitest'
import type { QueueView } from './state.ts'
import { batchSize, deciding, isScreenedBy, standsOn } from './policy.ts'
import { batches, Story } from '../testing/story.ts'
import { newQueue } from './queue.ts'
import { passedRunOn } from './tip-test.ts'

// E-189
test('a group is tested on top if the chance that all below pass is at least 0.3', () => {
  const story = new Story({ policy: 'adaptive', concurrency: 3 })
  story.submit(1, 2, 3)
  const [screened, single, behind] = Object.values(story.queue.groups)
  if (!screened || !single || !behind) throw new Error('three groups are in the line')
  const withFailures = (failed: number): QueueView => ({
    ...story.queue,
    judged: { count: 87, failed },
    groups: { 1: { ...screened, screened: true }, 2: single, 3: behind },
  })
  // One that was screened passes with 0.97, the other one with 1 - 67 / 97 = 0.3 / 0.97.
  expect(standsOn(withFailures(66), behind)).toBe('predecessors')
  expect(standsOn(withFailures(67), behind)).toBe('the branch alone')
})

// E-245
test('a batch is full with four while more than one in five fails, and with two else', () => {
  const { queue } = new Story({ policy: 'adaptive', batch: true, batchingMinSize: 16 })
  const withTarget = (failed: number, batchingMinSize: number): number => {
    const configuration = { ...queue.configuration, batchingMinSize }
    return batchSize({ ...queue, configuration, judged: { count: 10, failed } })
  }
  expect(withTarget(3, 16)).toBe(2)
  expect(withTarget(4, 16)).toBe(4)
  expect(withTarget(4, 3)).toBe(3)
})

// E-189, E-203
test('what decides about a pull request: those ahead in the line, its failures in a bisection of its own', () => {
  const story = new Story({ policy: 'adaptive', tipTestMode: 'off', concurrency: 2 })
  const decidingAbout = (number: number) => {
    const pullRequest = story.queue.pullRequests[number]
    return pullRequest && deciding(story.queue, pullRequest)
  }
  story.submit(1, 2)
  expect(decidingAbout(2)).toMatchObject({ chanceAhead: 0.9, odds: null })
  story.fail('> 1')
  // 0.1 / 0.9 that it breaks the tests, over 0.1 that one run flakes.
  expect(decidingAbout(1)).toMatchObject({ chanceAhead: null, odds: expect.closeTo(10 / 9) })
})

// E-305
test('a failure on top of others makes it less probable that these pass', () => {
  const story = new Story({ policy: 'adaptive', concurrency: 3 })
  story.submit(1, 2, 3)
  story.fail('1 > 2')
  const third = story.queue.pullRequests[3]
  // Before, 1 passed with 0.9. Then 2 fails with 0.19 by itself, else surely: 0.171 / (0.171 + 0.1).
  const chanceAhead: unknown = expect.closeTo(0.171 / 0.271)
  expect(third && deciding(story.queue, third)).toMatchObject({ chanceAhead })
})

// E-203
test('in a bisection of several nothing is said against one of them', () => {
  const story = batches(2, { policy: 'adaptive' })
  story.submit(3)
  story.submit(1, 2)
  story.pass('> 3')
  story.fail('> 1 2')
  const first = story.queue.pullRequests[1]
  expect(first?.home).toMatchObject({ in: 'bisection' })
  expect(first && deciding(story.queue, first)).toMatchObject({ chanceAhead: null, odds: null })
})

// E-286
test('what a bisection has proven counts as tested alone while at most four commits have come since', () => {
  const { queue } = new Story({ policy: 'adaptive' })
  const isScreenedAfter = (commits: number): boolean =>
    isScreenedBy({ ...queue, tip: { ...queue.tip, number: 7 + commits } }, { tip: 7 })
  expect([isScreenedAfter(4), isScreenedAfter(5)]).toEqual([true, false])
})

test('the latest run that passed on a composition is found, whatever failed on it since', () => {
  const verdict = { failedTests: [], contradicted: false }
  const queue = {
    ...newQueue(),
    verdicts: [
      { ...verdict, composition: 'a', run: 1, outcome: 'passed' },
      { ...verdict, composition: 'a', run: 2, outcome: 'passed' },
      { ...verdict, composition: 'a', run: 3, outcome: 'failed' },
      { ...verdict, composition: 'b', run: 4, outcome: 'passed' },
    ],
  } as const
  expect(passedRunOn(queue, 'a')).toBe(2)
  expect(passedRunOn(queue, 'c')).toBeNull()
})
