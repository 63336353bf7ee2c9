/** In PENDING_FAILURE the status, the timeline and the webhook give the same reason. */

import { expect, test } from 'vitest'
import type { RecordedCommand } from '../../engine/index.ts'
import { ToldQueue } from '../testing/told-queue.ts'
import { messagesOf } from '../webhooks/message.ts'
import { submittedPullRequest, timelineOf } from './pull-request.ts'
import { whyInFull } from './why.ts'

const run = (number: number): string => `0c9a5a2e-5b1f-8a33-9c1d-00000000000${number}`

/** Pull request 2 fails on top of 1, which is tested all the time. */
function story() {
  const told = new ToldQueue({ testingTimeoutMinutes: 60 })
  const sent: string[] = []
  const at = (minutes: number, command: RecordedCommand): void => {
    for (const { type, payload } of messagesOf(told.at(minutes, command), 'origin')) {
      const body: Readonly<Record<string, unknown>> = JSON.parse(payload)
      if (type === 'pull_request.pending_failure') sent.push(String(body['failure_reason']))
    }
  }
  const second = () => {
    const [last] = timelineOf(told.queue, told.pull(2), 'upper')
    return { shown: submittedPullRequest(told.queue, told.pull(2), 'upper'), last, sent }
  }
  return { at, second }
}

const nothing = { failedIn: null, passedWithout: null, failedTests: [] }
const failedTests = [{ name: 'pays twice', file: 'checkout.test.ts' }]

type Case = {
  readonly reason: string
  readonly commands: readonly (readonly [number, RecordedCommand])[]
  readonly evidence: object
}

const submit = (number: number): RecordedCommand => ({ type: 'submitPullRequest', number })
const lose = (testRun: number): RecordedCommand => ({
  type: 'finishTestRun',
  testRun,
  outcome: 'errored',
})

const cases: readonly Case[] = [
  {
    reason: 'TEST_RUN_TIMEOUT',
    commands: [
      [0, { type: 'updateQueue', set: { testingTimeoutMinutes: 90 } }],
      [1, submit(1)],
      [1, { type: 'updateQueue', set: { testingTimeoutMinutes: 60 } }],
      [1, submit(2)],
      [61, { type: 'wake' }],
    ],
    evidence: { ...nothing, failedIn: run(2) },
  },
  {
    reason: 'START_TEST_RUN_RETRY_EXHAUSTED',
    commands: [
      [1, submit(1)],
      [1, submit(2)],
      [2, lose(2)],
      [3, { type: 'wake' }],
      [4, lose(3)],
      [9, { type: 'wake' }],
      [10, lose(4)],
    ],
    evidence: { ...nothing, failedIn: run(4) },
  },
  {
    reason: 'START_TEST_RUN_MERGE_CONFLICT',
    commands: [
      [0, { type: 'reportPullRequest', number: 2, conflictsWith: [1] }],
      [1, submit(1)],
      [1, submit(2)],
    ],
    evidence: nothing,
  },
]

//
test.each(cases)('$reason has evidence in PENDING_FAILURE', ({ reason, commands, evidence }) => {
  const { at, second } = story()
  for (const [minutes, command] of commands) at(minutes, command)

  const { shown, last, sent } = second()

  expect(sent).toEqual([reason])
  expect(shown).toMatchObject({ state: 'PENDING_FAILURE', reason, evidence })
  expect(last).toMatchObject({ state: 'PENDING_FAILURE', reason })
})

test('given a failure of a predecessor, the reason of the restart replaces it, and the timeline keeps it', () => {
  const { at, second } = story()
  at(1, submit(1))
  at(1, submit(2))
  at(9, { type: 'finishTestRun', testRun: 2, outcome: 'failed', failedTests })
  at(9, { type: 'updateQueue', set: { state: 'DRAINING', concurrency: 1 } })
  at(9, submit(3))
  at(10, { type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })

  const { shown, last } = second()

  expect(shown).toMatchObject({ state: 'TESTING', reason: null, evidence: null })
  expect(last).toMatchObject({ state: 'TESTING', reason: null })
})

test('who waits because the runner lost its run reads that once', () => {
  const told = new ToldQueue({})
  told.at(1, submit(1))
  told.at(2, lose(1))
  expect(whyInFull(told.queue, told.pull(1))).toBe(
    'Waits for its next run. It is tested again: the runner lost its run.',
  )
})
