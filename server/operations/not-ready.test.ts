/** A pull request that is NOT_READY says why, wherever it is shown. */

import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { startedWith, type TestServer, start, temporaryFolder } from '../testing/test-server.ts'
import type * as wire from '../contract/wire.ts'
import { dataFolder, makeDataFolder } from '../store/data-folder.ts'
import { accepting, receiver } from '../testing/receiver.ts'
import { writeEndpoints } from '../webhooks/message.ts'

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
