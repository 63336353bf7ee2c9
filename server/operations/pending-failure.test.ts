/** A pull request in PENDING_FAILURE over the API: it says why, as its webhook does. */

import { expect, test } from 'vitest'
import { dataFolder, makeDataFolder } from '../store/data-folder.ts'
import { main } from '../testing/client.ts'
import { accepting, receiver } from '../testing/receiver.ts'
import { start, temporaryFolder } from '../testing/test-server.ts'
import { writeEndpoints } from '../webhooks/message.ts'

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
