/** A queue in the words and figures of the page: the line, a bisection step by step, and the trends. */

import { describe, expect, test } from 'vitest'
import type { Millis, RecordedCommand } from '../../engine/index.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'
import { silent } from '../testing/recording.ts'
import type { PullRequestPage } from './answers.ts'
import { lineOf, runsOf } from './line.ts'
import { endedSince } from './picture.ts'
import { pullRequestPage } from './pull-request-page.ts'
import { StateChanges } from './queue-head.ts'
import { trendsOf } from './trends.ts'
import { whyOf } from '../views/why.ts'

const minute: Millis = 60_000
const name = 'github.com/acme/shop:main'
const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-111111111111'

/** A queue that takes batches of three, and commands by minute. */
function story(settings: object = {}) {
  const registry = new QueueRegistry(silent)
  const at = (minutes: number, command: RecordedCommand): void => {
    const entry = { sequence: registry.sequence + 1, at: minutes * minute, queue: name, command }
    const outcome = registry.apply(entry)
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
  }
  const set = {
    batch: true,
    batchingMinSize: 3,
    concurrency: 1,
    bisectionConcurrency: 1,
    ...settings,
  }
  at(0, { type: 'createQueue', incarnation, set })
  const queue = () => {
    const found = registry.find(name)
    if (!found) throw new Error('no queue')
    return found
  }
  const why = (number: number): string => {
    const pullRequest = queue().engine.queue.pullRequests[number]
    if (!pullRequest) throw new Error(`${number} was never submitted`)
    return whyOf(queue(), pullRequest)
  }
  const pageOf = (number: number): PullRequestPage => {
    const pullRequest = queue().engine.queue.pullRequests[number]
    if (!pullRequest) throw new Error(`${number} was never submitted`)
    const parts = {
      hosting: { of: () => null, all: [] },
      changes: new StateChanges(),
      estimateOf: () => null,
    }
    const moment = { sequence: registry.sequence, now: 50 * minute }
    return pullRequestPage(queue(), pullRequest, { parts, audience: 'member', ...moment })
  }
  const ended = (run: number, outcome: 'passed' | 'failed'): RecordedCommand => ({
    type: 'finishTestRun',
    testRun: run,
    outcome,
  })
  return { registry, at, queue, why, pageOf, ended }
}

test('a batch fails, and its bisection grows step by step until the culprit is named', () => {
  const { at, queue, why, ended } = story()
  for (const number of [1, 2, 3, 4]) at(number, { type: 'submitPullRequest', number })
  expect(why(1)).toBe('Its tests run with 2 others.')
  expect(why(4)).toBe('Waits for the only slot, which is in use.')
  const tree = () => {
    const [first] = lineOf(queue()).bisections
    return first && { ...first, steps: first.steps.map(({ tested, run }) => [tested, run.outcome]) }
  }
  at(10, ended(1, 'failed'))
  expect(tree()).toMatchObject({ members: [1, 2, 3], proven: [], culprits: [] })
  expect(why(2)).toMatch(/^Its batch failed; the bisection looks for the culprit among [23]\.$/)
  const steps: unknown[] = []
  for (let minutes = 20; tree(); minutes += 10) {
    const run = Object.values(queue().engine.queue.testRuns).find(
      ({ owner }) => owner.kind === 'bisection',
    )
    if (!run) break
    steps.push(tree()?.steps)
    at(minutes, ended(run.id, run.tested.includes(2) ? 'failed' : 'passed'))
  }
  expect(steps).toEqual([
    [[[1], null]],
    [
      [[1], 'passed'],
      [[2], null],
    ],
    [
      [[1], 'passed'],
      [[2], 'failed'],
      [[3], null],
    ],
  ])
  const last = endedSince(queue(), 0, 'member').find(({ number }) => number === 2)
  expect(last).toMatchObject({
    state: 'FAILED',
    why: 'Its tests failed; without it they passed.',
  })
  expect(last?.member?.failedIn).toMatch(/^0c9a5a2e-5b1f-/)
})

describe('the adaptive policy says with its numbers', () => {
  const adaptive = { policy: 'adaptive', tipTestMode: 'off' }
  const submitted = (numbers: number, settings: object) => {
    const told = story({ ...adaptive, ...settings })
    for (let number = 1; number <= numbers; number++) {
      told.at(number, { type: 'submitPullRequest', number })
    }
    return told
  }

  // A-340, E-225
  test('how large a batch is', () => {
    const { why } = submitted(3, { batchingMinSize: 16, concurrency: 3 })
    expect(why(3)).toBe('Waits for a batch of 2 to fill; 10 % of the pull requests fail.')
  })

  // A-340, E-189, E-190
  test('why a group is tested alone, waits after that, and waits when it has failed', () => {
    const { at, why, ended } = submitted(13, { batch: false, concurrency: 13 })
    const doubt = 'is 28 %, and 30 % are needed.'
    expect(why(13)).toBe(
      `Its tests run without those ahead: the chance that these all pass ${doubt}`,
    )
    at(20, ended(13, 'passed'))
    expect(why(13)).toBe(`It passed alone and waits: the chance that those ahead all pass ${doubt}`)
    const { at: then, why: whyThen, ended: over } = submitted(13, { batch: false, concurrency: 13 })
    then(20, over(13, 'failed'))
    expect(whyThen(13)).toBe(
      'It failed without those ahead; it is settled when these have merged or left.',
    )
  })

  // A-340, E-187, E-226
  test('why a failure steps aside', () => {
    const settings = { batch: false, concurrency: 2, pendingFailureDepth: 1 }
    const { at, why, ended } = submitted(2, settings)
    at(20, ended(2, 'failed'))
    expect(why(2)).toBe(
      'Its run failed, and those behind go on without it, because only 10 % of the runs flake; what is ahead is not settled yet.',
    )
  })

  // A-340, E-200, E-201
  test('why a failure is not believed yet', () => {
    const { at, why, ended } = submitted(1, { batch: false })
    at(20, ended(1, 'failed'))
    expect(why(1)).toBe(
      'Its tests failed; the odds that it breaks them are 1.1 to 1 now, and 10 to 1 are needed, so it is tested again.',
    )
  })
})

test('a run that was cancelled took until the next step', () => {
  const { at, pageOf } = story({ batch: false, concurrency: 2 })
  for (const number of [1, 2]) at(number, { type: 'submitPullRequest', number })
  at(12, { type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
  expect(pageOf(2).runs).toMatchObject([
    { outcome: 'cancelled', endedAt: '1970-01-01T00:12:00.000Z', base: [1] },
    { outcome: null, endedAt: null, base: [] },
  ])
})

test('in parallel mode the reason names what a run stands on, not what is ahead in the line', () => {
  const { at, why, ended } = story({ mode: 'parallel', batch: false, concurrency: 4 })
  const targets = [['web'], ['api'], ['web', 'api'], ['docs']]
  for (const [index, each] of targets.entries()) {
    at(index, { type: 'setImpactedTargets', number: index + 1, targets: each })
    at(index, { type: 'submitPullRequest', number: index + 1 })
  }
  expect([1, 2, 3, 4].map(why)).toEqual([
    'Its tests run.',
    'Its tests run.',
    'Its tests run on top of #1 and #2.',
    'Its tests run.',
  ])
  at(10, ended(3, 'passed'))
  expect(why(3)).toBe('Its tests passed; it merges after #1 and #2.')
})

test('the page of a pull request tells its submissions apart, with their runs', () => {
  const { at, pageOf, ended } = story()
  at(0, { type: 'submitPullRequest', number: 1 })
  at(5, { type: 'wake' })
  at(15, ended(1, 'failed'))
  at(20, { type: 'submitPullRequest', number: 1 })
  at(25, { type: 'wake' })
  at(40, ended(2, 'passed'))
  const page = pageOf(1)
  expect(page.ended).toMatchObject({ state: 'MERGED', minutesInQueue: 20 })
  expect(page.timeline.map(({ text }) => text)).toEqual([
    'Submitted; waits to be tested.',
    'Its tests start.',
    'Its tests passed.',
    'Merged.',
  ])
  expect(page.runs).toMatchObject([
    { tested: [1], base: [], outcome: 'passed', endedAt: '1970-01-01T00:40:00.000Z' },
  ])
  expect(page.earlier).toMatchObject([{ state: 'FAILED', why: 'Failed: its tests failed.' }])
})

test('members see who put which test in quarantine, and strangers nothing of it', () => {
  const { at, queue, registry } = story()
  at(0, { type: 'quarantineTest', test: { name: 'clock' }, who: 'ada', until: 99 * minute })
  const trends = (audience: 'member' | 'public') =>
    trendsOf(queue(), { hours: 1, now: minute, audience, testCases: registry.testCases })
  expect(trends('member').quarantine).toMatchObject({
    merges: 0,
    tests: [{ test: 'clock', who: 'ada', until: '1970-01-01T01:39:00.000Z', inForce: true }],
  })
  expect(trends('public').quarantine).toBeNull()
})

test('trends count by the hour, and who failed before it merged was healthy', () => {
  const { at, queue, registry, ended } = story()
  at(0, { type: 'submitPullRequest', number: 1 })
  at(5, { type: 'wake' })
  at(15, ended(1, 'failed'))
  at(61, { type: 'submitPullRequest', number: 1 })
  at(66, { type: 'wake' })
  at(81, ended(2, 'passed'))
  const asked = { hours: 2, now: 90 * minute, audience: 'member' } as const
  const { hours } = trendsOf(queue(), { ...asked, testCases: registry.testCases })
  const none = { merged: 0, failed: 0, runsPassed: 0, runsFailed: 0, healthyEvicted: 0 }
  expect(hours).toEqual([
    {
      from: '1970-01-01T00:00:00.000Z',
      ...none,
      runsFailed: 1,
      medianMinutes: null,
      p95Minutes: null,
    },
    {
      from: '1970-01-01T01:00:00.000Z',
      ...none,
      merged: 1,
      runsPassed: 1,
      healthyEvicted: 1,
      medianMinutes: 20,
      p95Minutes: 20,
    },
  ])
})

test('the usual length of a run is that of the last that ended by themselves', () => {
  const { at, queue, ended } = story({ batch: false })
  const usual = [12, 13, 14].map((minutes, index) => {
    at(index * 100, { type: 'submitPullRequest', number: index + 1 })
    at(index * 100 + minutes, ended(index + 1, 'passed'))
    return runsOf(queue()).expectedMinutes
  })
  expect(usual).toEqual([null, null, 13])
  at(300, { type: 'submitPullRequest', number: 4 })
  at(390, { type: 'cancelPullRequest', number: 4, reason: 'USER_REQUESTED' })
  expect(runsOf(queue()).expectedMinutes).toBe(13)
})
