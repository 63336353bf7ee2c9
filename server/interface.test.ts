/**
 * The sentences of the interface document about requests, responses, errors and versions, over HTTP.
 * engine/SENTENCES.md lists all of its sentences with the tests that hold them.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import fc from 'fast-check'
import { pullRequestStates, queueStates } from '../engine/index.ts'
import { openApi } from './contract/openapi.ts'
import type * as wire from './contract/wire.ts'
import { startOnBrokenDisk } from './testing/disks.ts'
import { Client, main, shop, type ClientResponse, Contract } from './testing/client.ts'
import { start, type TestServer } from './testing/any-store.ts'
import { temporaryFolder } from './terminal/testing/temporary-folder.ts'

const data = temporaryFolder()
let oneServer: TestServer

beforeAll(async () => {
  oneServer = await start(data)
})
afterAll(async () => {
  await oneServer.stop()
})

const ofPullRequests = [
  'submitPullRequest',
  'cancelPullRequest',
  'restartTestsOnPullRequest',
  'getSubmittedPullRequest',
  'setImpactedTargets',
]
const ofQueues = [
  'getMergeQueueTestingDetails',
  'createQueue',
  'deleteQueue',
  'getQueue',
  'updateQueue',
]
const linkPath = '/v1/flaky-tests/link-ticket-to-test-case'
const link = { test_case_id: '5c9486d3-f1e6-5062-8d3a-1ae330557b83', external_ticket_id: 'KAN-1' }

const post = (path: string, body: unknown, more = {}): Promise<ClientResponse> =>
  oneServer.client.send(path, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...more,
  })

/** A body with every field that an operation of the interface needs, without one of them. */
function without(field: 'repo' | 'host' | 'owner' | 'name' | 'targetBranch' | 'pr'): object {
  const { targetBranch } = main
  const repo = Object.fromEntries(Object.entries(shop).filter(([key]) => key !== field))
  const whole = { repo, targetBranch, pr: { number: 1 }, impactedTargets: [], ...link }
  return Object.fromEntries(Object.entries(whole).filter(([key]) => key !== field))
}

//
test.each([...ofPullRequests, ...ofQueues])('%s is a POST under /v1', async (operation) => {
  expect((await post(`/v1/${operation}`, {})).status).toBe(400)
  expect((await post(`/${operation}`, {})).status).toBe(404)
  const read = await oneServer.client.send(`/v1/${operation}`, { method: 'GET' })
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST'])
})

//
test.each([...ofPullRequests, ...ofQueues])('%s needs the common body', async (operation) => {
  for (const field of ['repo', 'targetBranch'] as const) {
    const { status, text } = await post(`/v1/${operation}`, without(field))
    expect([status, text]).toEqual([400, expect.stringContaining(`/${field}`)])
  }
  for (const field of ['host', 'owner', 'name'] as const) {
    const { status, text } = await post(`/v1/${operation}`, without(field))
    expect([status, text]).toEqual([400, expect.stringContaining(`/repo/${field}`)])
  }
})

//
test.each(ofPullRequests)(
  '%s needs the number of a pull request, an integer',
  async (operation) => {
    const { status, text } = await post(`/v1/${operation}`, without('pr'))
    expect([status, text]).toEqual([400, expect.stringContaining('/pr')])
    for (const pr of [{}, { number: 1.5 }, { number: null }, { number: 0 }]) {
      const refused = await post(`/v1/${operation}`, { ...without('pr'), pr })
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('/pr/number')])
    }
  },
)

//
test('operations on queues need no pull request, and ignore one', async () => {
  const queue = { ...main, targetBranch: 'next' }
  expect((await post('/v1/createQueue', queue)).status).toBe(200)
  expect((await post('/v1/getQueue', queue)).status).toBe(200)
  expect((await post('/v1/getQueue', { ...queue, pr: { number: 1 } })).status).toBe(200)
  expect((await post('/v1/getMergeQueueTestingDetails', queue)).status).toBe(200)
  expect((await post('/v1/updateQueue', queue)).status).toBe(200)
  expect((await post('/v1/deleteQueue', queue)).status).toBe(200)
})

//
test('the link of a ticket answers 200 as JSON, and 400, 401 and 404 as plain text', async () => {
  const queue = { ...main, targetBranch: 'tickets' }
  await oneServer.client.ok('createQueue', queue)
  await oneServer.client.ok('submitPullRequest', { ...queue, pr: { number: 1 } })
  const details = await oneServer.client.ok<wire.TestRuns>('getMergeQueueTestingDetails', queue)
  const reported = await oneServer.client.ok<wire.TestRunReported>('reportTestRun', {
    testRunId: details.testRuns[0]?.testRunId,
    outcome: 'failed',
    failedTests: [{ name: 'pays twice' }],
  })
  const test_case_id = reported.testCases[0]?.test_case_id
  const typeOf = async (body: unknown, more = {}): Promise<[number, string | undefined]> => {
    const { status, headers } = await post(linkPath, body, more)
    return [status, headers.get('content-type')?.split(';')[0]]
  }
  const plain = 'application/plain-text'
  expect(await typeOf({ ...link, test_case_id, repo: shop })).toEqual([200, 'application/json'])
  expect(await typeOf({ ...link, repo: shop })).toEqual([404, plain])
  expect(await typeOf({ ...link, repo: shop }, { token: null })).toEqual([401, plain])
  expect(await typeOf({ ...link, repo: shop }, { token: 'unknown' })).toEqual([401, plain])
  for (const missing of ['repo', 'test_case_id', 'external_ticket_id']) {
    const body = Object.entries({ ...link, repo: shop }).filter(([key]) => key !== missing)
    expect(await typeOf(Object.fromEntries(body))).toEqual([400, plain])
  }
})

//
test('the link of a ticket answers 500 as plain text', async () => {
  const broken = new Client((await startOnBrokenDisk()).url, 'admin', new Contract())
  // The first write finds out that the disk fails.
  expect((await broken.call('createQueue', main)).status).toBe(500)
  const { status, headers } = await broken.call('linkTicketToTestCase', { ...link, repo: shop })
  expect(status).toBe(500)
  expect(headers.get('content-type')).toMatch(/^application\/plain-text(;|$)/)
})

//
test('metrics are a GET with the content type of the Prometheus text format', async () => {
  const { status, headers } = await oneServer.client.send('/v1/getMergeQueueMetrics', {
    method: 'GET',
  })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
})

// E-15, E-102, A-17
test('the states of pull requests and of queues are those of the document, and no others', () => {
  const ofPullRequest = ['NOT_READY', 'PENDING', 'TESTING', 'TESTS_PASSED', 'MERGED', 'FAILED']
  expect([...pullRequestStates].sort()).toEqual(
    [...ofPullRequest, 'CANCELLED', 'PENDING_FAILURE'].sort(),
  )
  expect([...queueStates]).toEqual(['RUNNING', 'PAUSED', 'DRAINING', 'SWITCHING_MODES'])
})

//
test('the base address ends in v1, and the description of the API has the version 1.0.0', async () => {
  const { text } = await oneServer.client.send('/openapi.json', { method: 'GET', token: null })
  expect(JSON.parse(text)).toMatchObject({
    info: { version: '1.0.0' },
    servers: [{ url: '/v1' }],
  })
  expect(openApi.paths).toHaveProperty(['/flaky-tests/link-ticket-to-test-case'])
})

// Random sequences of calls and server restarts: a server that comes back shows what it showed before.

const pr = fc.record({ number: fc.integer({ min: 1, max: 6 }) })
const priority = fc.constantFrom(10, 100, 150, 200)
const state = fc.constantFrom('PAUSED', 'RUNNING')
const outcome = fc.constantFrom('passed', 'failed')

const call = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('submitPullRequest'), fc.record({ pr, priority })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('cancelPullRequest'), fc.record({ pr })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('restartTestsOnPullRequest'), fc.record({ pr })) },
  { weight: 5, arbitrary: fc.tuple(fc.constant('reportTestRun'), fc.record({ outcome })) },
  fc.tuple(fc.constant('updateQueue'), fc.record({ state })),
  fc.constant(['restart', {}] as const),
)

/** The pull requests in the queue and those that have left, each in its order, and the runs in progress. */
async function shownBy({ client }: TestServer, queue: wire.QueueRef) {
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', queue)
  const { pullRequests } = await client.ok<wire.PullRequestPage>('listPullRequests', queue)
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', queue)
  return { enqueuedPullRequests, pullRequests, testRuns }
}

test('after any sequence of calls, a restarted server shows the same', async () => {
  let server = await start(temporaryFolder())
  let round = 0
  const restart = async (queue: wire.QueueRef): Promise<void> => {
    const before = await shownBy(server, queue)
    await server.stop()
    server = await start(server.data)
    expect(await shownBy(server, queue)).toEqual(before)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 10, maxLength: 40 }), async (calls) => {
      const queue = { repo: shop, targetBranch: `round-${++round}` }
      await server.client.ok('createQueue', { ...queue, concurrency: 1 })
      for (const [operation, body] of calls) {
        if (operation === 'restart') await restart(queue)
        else if (operation !== 'reportTestRun')
          await server.client.call(operation, { ...queue, ...body })
        else
          for (const { testRunId } of (await shownBy(server, queue)).testRuns)
            await server.client.ok(operation, { testRunId, ...body })
      }
      await restart(queue)
    }),
    { numRuns: 8 },
  )
  await server.stop()
})
