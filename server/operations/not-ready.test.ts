/** A pull request that is NOT_READY says why, wherever it is shown. */

import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { startedWith, type TestServer, start } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import type * as wire from '../contract/wire.ts'
import { dataFolder, makeDataFolder } from '../store/data-folder.ts'
import { accepting, receiver } from '../testing/receiver.ts'
import { writeEndpoints, messagesOf } from '../webhooks/message.ts'
import type { RecordedCommand } from '../../engine/index.ts'
import { DrivenQueue } from '../testing/driven-queue.ts'
import { submittedPullRequest, timelineOf } from '../views/pull-request.ts'
import { whyInFull } from '../views/why.ts'

const pr = { number: 7 }
const queueName = 'github.com/acme/shop:main'

/** The reasons that the status of pull request 7 gives. */
const reasonsIn = async ({ client }: TestServer): Promise<readonly string[] | undefined> =>
  (await client.pull(7)).notReadyReasons

//
test('a submission to a PAUSED queue answers why it is NOT_READY, and so do the reads', async () => {
  const server = await startedWith({ state: 'PAUSED' })
  const { client } = server
  const expected = { state: 'NOT_READY', notReadyReasons: ['queue_paused'] }

  expect(await client.submit(7)).toMatchObject(expected)
  expect(await client.pull(7)).toMatchObject(expected)
  expect(await client.ok('getQueue', main)).toMatchObject({ enqueuedPullRequests: [expected] })

  await client.ok('updateQueue', { ...main, state: 'RUNNING' })
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', main)
  expect(enqueuedPullRequests).toMatchObject([{ state: 'TESTING' }])
  expect(enqueuedPullRequests[0]).not.toHaveProperty('notReadyReasons')
})

//
test('every reason is named: the state of the queue, the code host, and missing targets', async () => {
  const server = await startedWith({ state: 'DRAINING', mode: 'parallel' })
  const { client, manager } = server
  await client.submit(7)
  manager.send(queueName, { type: 'reportPullRequest', number: 7, mergeable: false })
  expect(await reasonsIn(server)).toEqual([
    'queue_draining',
    'not_mergeable',
    'impacted_targets_missing',
  ])
  await client.ok('updateQueue', { ...main, state: 'RUNNING' })
  expect(await reasonsIn(server)).toEqual(['not_mergeable', 'impacted_targets_missing'])
  await client.ok('setImpactedTargets', { ...main, pr, impactedTargets: [] })
  expect(await reasonsIn(server)).toEqual(['not_mergeable'])
  manager.send(queueName, { type: 'reportPullRequest', number: 7, mergeable: true })
  expect(await reasonsIn(server)).toBeUndefined()
})

//
test('given another report than of its mergeability, what the code host says of it is unknown', async () => {
  const { client, manager } = await startedWith({})
  await client.submit(7)
  const told = async (): Promise<unknown> => (await client.pull(7)).readiness.gitHubMergeability
  manager.send(queueName, {
    type: 'reportPullRequest',
    number: 7,
    conflictsWith: [8],
    title: 'Pay',
  })
  expect(await told()).toBe('unspecified')
  manager.send(queueName, { type: 'reportPullRequest', number: 7, mergeable: true })
  expect(await told()).toBe('mergeable')
})

//
test('while the mode changes, a new submission waits for the change', async () => {
  const server = await startedWith({})
  const { client } = server
  await client.submit(1)
  await client.ok('updateQueue', { ...main, mode: 'parallel' })
  await client.submit(7)
  expect(await reasonsIn(server)).toEqual(['queue_switching_modes'])
  await client.ok('cancelPullRequest', { ...main, pr: { number: 1 } })
  expect(await reasonsIn(server)).toEqual(['impacted_targets_missing'])
})

// A pull request in PENDING_FAILURE over the API: it says why, as its webhook does.

//
test('a failure that waits for its predecessor has reason, evidence and a timeline', async () => {
  const events = ['pull_request.pending_failure', 'pull_request.failed'] as const
  const { endpoint, received, untilReceived } = await receiver(accepting, { events })
  const data = temporaryFolder()
  const folder = dataFolder(data)
  makeDataFolder(folder)
  await writeEndpoints(folder.webhooks, [endpoint])
  const { client, stop } = await start(data)
  await client.ok('createQueue', main)
  for (const number of [1, 2]) await client.submit(number)
  const [first, second] = (await client.runs()).map(({ testRunId }) => testRunId)
  const failedTests = [{ name: 'pays twice', file: 'checkout.test.ts' }]
  await client.ok('reportTestRun', { testRunId: second, outcome: 'failed', failedTests })
  const read = () => client.pull(2, { includeTimeline: true })

  const reason = 'TEST_RUN_REQUIRED_STATUS_FAILED'
  const held = await read()
  expect(held).toMatchObject({
    state: 'PENDING_FAILURE',
    reason,
    evidence: { failedIn: second, passedWithout: null, failedTests },
  })
  expect(held.timeline?.map(({ state, reason: why }) => [state, why])).toEqual([
    ['PENDING_FAILURE', reason],
    ['TESTING', null],
    ['PENDING', 'API_REQUESTED'],
  ])

  await client.ok('reportTestRun', { testRunId: first, outcome: 'passed' })
  const failed = await read()
  expect(failed).toMatchObject({
    state: 'FAILED',
    reason,
    evidence: { failedIn: second, passedWithout: first, failedTests },
  })
  expect(failed.timeline?.slice(0, 2).map((step) => step.reason)).toEqual([reason, reason])
  const { why } = await client.pull(2, { includeWhy: true })
  expect(why).toEqual({
    sentence: 'Its tests failed; without it they passed.',
    conflictsWith: null,
    runs: [
      { testRunId: second, number: 2, outcome: 'failed', tested: [2], base: [1] },
      { testRunId: first, number: 1, outcome: 'passed', tested: [1], base: [] },
    ],
    logOf: second,
  })
  await untilReceived(2)
  expect(received.map(({ text }): unknown => JSON.parse(text))).toMatchObject([
    { type: 'pull_request.pending_failure', failure_reason: reason, test_run_id: second },
    { type: 'pull_request.failed', failure_reason: reason },
  ])
  await stop()
})

//
test('in a bisection the failed run of the batch is shown beside the one in progress', async () => {
  const { client } = await startedWith({ batch: true, batchingMinSize: 3 })
  for (const number of [1, 2, 3]) await client.submit(number)
  const [batch] = (await client.runs()).map(({ testRunId }) => testRunId)
  await client.ok('reportTestRun', { testRunId: batch, outcome: 'failed' })
  const { why } = await client.pull(1, { includeWhy: true })
  expect(why?.runs.map(({ outcome, tested }) => [outcome, tested])).toEqual([
    ['failed', [1, 2, 3]],
    [null, [1]],
  ])
  expect(why?.logOf).toBe(batch)
})

// In PENDING_FAILURE the status, the timeline and the webhook give the same reason.

const run = (number: number): string => `0c9a5a2e-5b1f-8a33-9c1d-00000000000${number}`

/** Pull request 2 fails on top of 1, which is tested all the time. */
function story() {
  const driven = new DrivenQueue({ testingTimeoutMinutes: 60 })
  const sent: string[] = []
  const at = (minutes: number, command: RecordedCommand): void => {
    for (const { type, payload } of messagesOf(driven.at(minutes, command), 'origin')) {
      const body: Readonly<Record<string, unknown>> = JSON.parse(payload)
      if (type === 'pull_request.pending_failure') sent.push(String(body['failure_reason']))
    }
  }
  const second = () => {
    const [last] = timelineOf(driven.queue, driven.pull(2), 'upper')
    return { shown: submittedPullRequest(driven.queue, driven.pull(2), 'upper'), last, sent }
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

test('who waits because its run had no verdict reads that once, and for how long', () => {
  const driven = new DrivenQueue({})
  const why = () => whyInFull(driven.queue, driven.pull(1))
  const because = 'It is tested again: its run ended without a verdict.'
  driven.at(1, submit(1))
  driven.at(2, lose(1))
  expect(why()).toBe(`Waits for its next run, 1 min after the one before. ${because}`)
  driven.at(3, { type: 'wake' })
  driven.at(4, lose(2))
  expect(why()).toBe(`Waits for its last run, 5 min after the one before. ${because}`)
})
