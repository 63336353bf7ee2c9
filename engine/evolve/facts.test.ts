/** What the state keeps of a pull request, beside what the next commands show. */

import { describe, expect, test } from 'vitest'
import { newQueue } from '../model/queue.ts'
import type { Queue } from '../model/state.ts'
import { batches } from '../testing/batches.ts'
import { lanes } from '../testing/lanes.ts'
import { Story } from '../testing/story.ts'
import { evolve } from './index.ts'
import { phasesOf } from './phases.ts'

const minuteMs = 60_000

describe('a pull request', () => {
  test('knows whether a priority was asked for, also by a later submission', () => {
    const story = new Story({}, { state: 'PAUSED' })
    const asked = (): (boolean | undefined)[] =>
      [1, 2].map((number) => story.queue.pullRequests[number]?.priorityAsked)
    story.submit(1)
    story.submitAs(2, { priority: 7 })
    expect(asked()).toEqual([false, true])
    story.submit(1, 2)
    expect(asked()).toEqual([false, true])
    story.submitAs(1, { priority: 100 })
    expect(asked()).toEqual([true, true])
  })

  test('knows when its state changed and since when it waits', () => {
    const story = new Story({}, { state: 'PAUSED' })
    const times = (): unknown[] => {
      const { stateChangedAt, pendingSince } = story.queue.pullRequests[1] ?? {}
      return [stateChangedAt, pendingSince]
    }
    story.submit(1)
    expect(times()).toEqual([0, null])
    story.wait(2)
    story.update({ state: 'DRAINING' })
    story.send({ type: 'reportPullRequest', number: 1, mergeable: false })
    expect(times()).toEqual([0, null])
    story.wait(3)
    story.send({ type: 'reportPullRequest', number: 1, mergeable: true })
    story.urgent(9)
    story.update({ concurrency: 1, state: 'RUNNING' })
    expect(times()).toEqual([5 * minuteMs, 5 * minuteMs])
    story.wait(1)
    story.pass('> 9')
    expect(times()).toEqual([6 * minuteMs, null])
  })

  test('knows the run that has shown that it passes, and none after a failure', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.pass('1 > 2')
    story.fail('> 1')
    expect(story.queue.pullRequests[1]?.verifiedBy).toBeNull()
    story.pass('> 2')
    expect(story.queue.pullRequests[2]?.verifiedBy).toBe(3)
  })

  test('knows that run already before it merges', () => {
    const story = new Story({ concurrency: 2 })
    story.submit(1, 2)
    story.pass('1 > 2')
    expect(story.queue.pullRequests[2]).toMatchObject({ state: 'TESTS_PASSED', verifiedBy: 2 })
  })

  test('forgets that run when a person merges it, and a stored cancel when it has left', () => {
    const story = new Story({ concurrency: 2 }, { codeHost: 'answers' })
    story.submit(1, 2)
    story.pass('1 > 2')
    story.send({ type: 'reportManualMerge', number: 2 })
    expect(story.queue.pullRequests[2]).toMatchObject({ state: 'MERGED', verifiedBy: null })
    const [run = ''] = story.running
    story.pass(run)
    story.cancel(1)
    expect(story.queue.pullRequests[1]?.leavingFor).toBe('USER_REQUESTED')
    story.answerMerge(1, 'GITHUB_API_MERGE_PR_FAILED')
    expect(story.queue.pullRequests[1]).toMatchObject({ state: 'CANCELLED', leavingFor: null })
  })

  test('keeps a text conflict once, however often it is reported', () => {
    const story = new Story({}, { state: 'PAUSED' })
    story.conflict(1, 2)
    story.conflict(1, 2)
    story.conflict(2, 1)
    expect(story.queue.hostFacts[1]?.conflictsWith).toEqual([2])
    expect(story.queue.hostFacts[2]?.conflictsWith).toEqual([1])
  })

  test('stays green on the tip when another fact about it is reported', () => {
    const story = new Story({}, { state: 'PAUSED' })
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.send({ type: 'reportPullRequest', number: 2, greenOnTip: true })
    story.send({ type: 'reportPullRequest', number: 1, mergeable: true })
    expect(story.queue.greenOnTip).toEqual([1, 2])
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: false })
    expect(story.queue.greenOnTip).toEqual([2])
    story.send({ type: 'forget', numbers: [2] })
    expect(story.queue.greenOnTip).toEqual([])
  })

  test('of those green on the tip, only the forgotten one is dropped', () => {
    const story = new Story({}, { state: 'PAUSED' })
    story.send({ type: 'reportPullRequest', number: 1, greenOnTip: true })
    story.send({ type: 'reportPullRequest', number: 2, greenOnTip: true })
    story.send({ type: 'forget', numbers: [1] })
    expect(story.queue.greenOnTip).toEqual([2])
  })
})

describe('a bisection', () => {
  // E-87
  test('counts as a flake for its survivors only if nobody was convicted or left', () => {
    const returns = (culprit: boolean): unknown[] => {
      const story = batches(2, { policy: 'adaptive' })
      story.submitTogether(1, 2)
      story.fail('> 1 2')
      story.send({ type: 'reportPush' })
      story.pass('bisect > 1')
      if (culprit) story.fail('bisect 1 > 2')
      else story.pass('bisect 1 > 2')
      return [1, 2].map((number) => story.queue.pullRequests[number]?.flakeReturns)
    }
    expect(returns(false)).toEqual([1, 1])
    expect(returns(true)).toEqual([0, 0])
  })

  test('shows which run tests a member, and none for those that only wait for it', () => {
    const story = batches(3)
    story.submit(1, 2, 3)
    story.fail('> 1 2 3')
    expect(story.running).toEqual(['bisect > 1'])
    const moves = story.happened('pullRequestMoved').slice(-3)
    expect(moves.map(({ number, to, testRun }) => [number, to, testRun])).toEqual([
      [1, 'TESTING', 2],
      [2, 'TESTING', null],
      [3, 'TESTING', null],
    ])
  })

  // E-193
  test('of a batch that was overtaken begins without its verdict', () => {
    const settings = { concurrency: 3, policy: 'adaptive', canOptimisticallyMerge: true } as const
    const story = batches(2, settings)
    story.submitTogether(1, 2, 3, 4, 5, 6)
    story.fail('1 2 > 3 4')
    story.pass('1 2 > 5 6')
    expect(story.merged).toEqual([1, 2, 5, 6])
    expect(story.happened('bisectionStarted')).toMatchObject([{ members: [3, 4], overtaken: true }])
    expect(story.queue.bisections).toMatchObject([{ runsSpent: 1, verdicts: {} }])
  })

  // E-203
  test('counts the failed tests of a prefix, and no timeout', () => {
    const story = batches(2, { testingTimeoutMinutes: 10, policy: 'adaptive' })
    const failures = (): unknown => {
      const [bisection] = story.queue.bisections
      return bisection?.prefixes.map((composition) => bisection.verdicts[composition]?.failures)
    }
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    expect(failures()).toEqual([undefined, 1])
    story.wait(10)
    expect(failures()).toEqual([0, 1])
    story.fail('bisect > 1')
    expect(failures()).toEqual([1, 1])
  })

  // E-142, E-202
  test('keeps the failure of the batch when its second look is lost, though a member is doubtful', () => {
    const story = batches(2, { bisectionConcurrency: 3, policy: 'adaptive' })
    story.submitTogether(1, 2)
    story.fail('> 1 2')
    expect(story.running).toEqual(['bisect > 1', 'bisect > 1 2'])
    story.fail('bisect > 1')
    story.error('bisect > 1 2')
    const [bisection] = story.queue.bisections
    expect(bisection?.retries).toEqual([])
    expect(story.running).toEqual(['bisect > 1'])
  })

  test('lists a group that shares a target as beside it, and no other', () => {
    const story = lanes(
      { 1: ['a'], 2: ['a'], 3: ['a'], 4: ['b'] },
      { batch: true, batchingMinSize: 2 },
    )
    story.submit(1, 2, 3, 4)
    story.wait(10)
    story.fail('> 1 2')
    const beside = Object.values(story.queue.groups).map((group) => [group.members, group.beside])
    expect(beside).toEqual([
      [[3], [1]],
      [[4], []],
    ])
  })
})

test('the lists of groups by phase are the same when they are computed again', () => {
  const story = new Story({ concurrency: 3 })
  story.submit(1, 2, 3, 4, 5)
  story.pass('1 2 > 3')
  story.update({ state: 'PAUSED' })
  expect(story.queue.phases).toMatchObject({ testing: [1, 2, 4], passed: [3] })
  const queue: Queue = JSON.parse(story.engine.snapshot())
  expect(phasesOf(queue)).toEqual(story.queue.phases)
})

test('a move that contradicts the state is an engine bug, and its message names it', () => {
  const queue = newQueue({ state: 'PAUSED' })
  const submitted = {
    number: 1,
    submission: 1,
    priority: 100,
    priorityAsked: false,
    noBatch: false,
  }
  evolve(queue, { type: 'pullRequestSubmitted', ...submitted, state: 'PENDING' })
  const move = { type: 'pullRequestMoved', number: 1, testRun: null } as const
  expect(() =>
    evolve(queue, { ...move, from: 'TESTING', to: 'TESTS_PASSED', reason: 'TEST_RUN_PASSED' }),
  ).toThrow('pull request 1 cannot go from PENDING to TESTS_PASSED (TEST_RUN_PASSED)')
  expect(() => evolve(queue, { ...move, from: 'PENDING', to: 'FAILED', reason: null })).toThrow(
    'pull request 1 cannot go from PENDING to FAILED (no reason)',
  )
})
