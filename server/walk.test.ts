/**
 * Every operation and every status of the OpenAPI document, over HTTP with a real data folder. The
 * last test lists documented statuses that did not occur.
 */

import { request as openRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { mostFailures } from './auth/gate.ts'
import { largestBodyBytes } from './http/limits.ts'
import { scopesOf } from './contract/openapi.ts'
import { startOnBrokenDisk } from './testing/disks.ts'
import { Client, definitions, main, shop, Contract, examples } from './testing/client.ts'
import { issue, onOneStore, start } from './testing/any-store.ts'
import { temporaryFolder } from './terminal/testing/temporary-folder.ts'
import { walkCodeHost, walkRepository } from './testing/walk-hosts.ts'
import type * as wire from './contract/wire.ts'

const contract = new Contract()
const pr = { number: 123 }
const operationIds = definitions.map(({ definition }) => definition.operationId)

//
test('every operation checks its requests in the documented order', onOneStore, async () => {
  const data = temporaryFolder()
  const tokens = [
    await issue(data, 'read'),
    await issue(data, 'report'),
    await issue(data, 'submit'),
  ]
  const { client, stop } = await start(data, { contract })
  const tooLarge = gzipSync(Buffer.alloc(largestBodyBytes + 1, ' '))
  const gzipped = { 'content-encoding': 'gzip', 'content-type': 'text/html' }
  const statusesOf = async (operationId: string): Promise<number[]> => {
    const call = async (body: unknown, more = {}): Promise<number> =>
      (await client.call(operationId, body, more)).status
    return [
      await call(tooLarge, { method: 'PUT', token: null, headers: gzipped }),
      await call(tooLarge, { token: null, headers: gzipped }),
      await call(tooLarge, { token: 'unknown', headers: gzipped }),
      await call(tooLarge, { method: 'PUT', headers: gzipped }),
      await call(tooLarge, { headers: gzipped }),
      await call('{', { headers: { 'content-type': 'text/html' } }),
      await call('{'),
      await call({}),
    ]
  }
  for (const { definition } of definitions) {
    const { operationId } = definition
    expect([operationId, await statusesOf(operationId)]).toEqual([
      operationId,
      [401, 401, 401, 405, 413, 415, 400, 400],
    ])
    for (const [index, scope] of (['read', 'report', 'submit'] as const).entries()) {
      const { status } = await client.call(operationId, '{', { token: tokens[index] ?? '' })
      expect(status, scope).toBe(scopesOf(definition).includes(scope) ? 400 : 403)
    }
  }
  await stop()
})

test('every operation succeeds in the life of a pull request', async () => {
  const { client, stop } = await start(temporaryFolder(), { contract })
  for (const operationId of operationIds) {
    await client.call(operationId, examples.get(operationId))
    if (operationId === 'createQueue') await client.ok('deleteQueue', main)
  }

  await client.ok('createQueue', { ...main, concurrency: 2 })
  expect((await client.call('createQueue', main)).text).toBe(
    'A merge queue already exists for branch "main" in this repository',
  )
  await client.ok('submitPullRequest', { ...main, pr })
  await client.ok('setImpactedTargets', { ...main, pr, impactedTargets: 'all' })
  await client.ok('restartTestsOnPullRequest', { ...main, pr })
  await client.ok('updateQueue', { ...main, concurrency: 3 })
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
  const testRunId = testRuns[0]?.testRunId ?? ''
  await client.ok('getMergeQueueTestingDetails', { ...main, testRunId })
  const { testCases } = await client.ok<wire.TestRunReported>('reportTestRun', {
    testRunId,
    outcome: 'failed',
    failedTests: [{ name: 'pays twice' }],
  })
  await client.ok('linkTicketToTestCase', {
    test_case_id: testCases[0]?.test_case_id,
    external_ticket_id: 'KAN-123',
    repo: shop,
  })
  await client.ok('listTestCases', { repo: shop })
  await client.ok('quarantineTest', { ...main, test: 'pays twice' })
  await client.ok('getQuarantine', main)
  await client.ok('releaseTest', { ...main, test: 'pays twice' })
  const timeline = { ...main, pr, includeTimeline: true }
  const submitted = await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', timeline)
  expect(submitted.state).toBe('FAILED')
  await client.ok('getQueue', main)
  await client.ok('listPullRequests', main)
  await client.ok('submitPullRequest', { ...main, pr })
  expect((await client.call('deleteQueue', main)).text).toContain('holds 1 pull request')
  await client.ok('cancelPullRequest', { ...main, pr })
  await client.ok('deleteQueue', main)
  await stop()
})

test('operations on a repository succeed, and are refused without one', onOneStore, async () => {
  const { url, shown, log, status, run, landed, refused, vague, unknown } =
    await walkRepository(contract)
  expect(shown).toMatchObject({ state: 'MERGED', prTitle: 'Pay twice', prAuthor: 'Ada' })
  expect(log).toContain('tested\n')
  expect(status).toMatchObject({ url, testsItself: true, faults: [] })
  expect(run.testBranchSha).toBe(landed)
  expect(unknown).toContain('the repository has no refs/pull/99/head')
  expect(new Set(refused)).toEqual(new Set([409]))
  //
  expect(vague.map(({ status: is }) => is)).toEqual([400, 400, 400, 400, 400])
  expect(vague[1]?.text).toContain('pr.sha names no commit: it is "a", expected its id')
})

//
test('a client that is the code host says what it sees, answers merges', onOneStore, async () => {
  const { asked, states, direct } = await walkCodeHost(contract)
  expect(asked).toBe(true)
  expect(states).toEqual(['NOT_READY', 'TESTING', 'TESTS_PASSED', 'TESTING', 'MERGED'])
  expect(direct).toEqual(['MERGED', 'MERGED', 'FAILED'])
})

test('service endpoints and metrics', async () => {
  const { client, stop } = await start(temporaryFolder(), { contract })
  await client.ok('createQueue', main)
  const service = [
    ['healthz', '/healthz'],
    ['readyz', '/readyz'],
    ['openapi', '/openapi.json'],
    ['docs', '/docs'],
  ] as const
  for (const [operationId, path] of service) {
    expect((await client.get(operationId, path, { token: null })).status).toBe(200)
    expect((await client.get(operationId, path, { method: 'POST' })).status).toBe(405)
  }
  const metrics = (query: string, more = {}): Promise<{ status: number }> =>
    client.get('getMergeQueueMetrics', `/v1/getMergeQueueMetrics${query}`, more)
  expect((await metrics('')).status).toBe(200)
  expect((await metrics('?repo=acme/shop&repoHost=GITHUB.com')).status).toBe(200)
  expect((await metrics('?repo=acme/other&repoHost=github.com')).status).toBe(404)
  expect((await metrics('?repo=acme/shop')).status).toBe(400)
  expect((await metrics('?repoHost=github.com')).status).toBe(200)
  // A host with a slash and a shorter owner would form the name of an existing repository.
  await client.ok('createQueue', { ...main, repo: { ...shop, owner: 'acme/web' } })
  expect((await metrics('?repo=acme/web/shop&repoHost=github.com')).status).toBe(200)
  expect((await metrics('?repo=web/shop&repoHost=github.com/acme')).status).toBe(400)
  await client.ok('createQueue', { ...main, repo: { ...shop, name: 'shop?x' } })
  expect((await metrics('?repo=acme/shop?x&repoHost=github.com')).status).toBe(200)
  expect((await metrics('', { token: null })).status).toBe(401)
  expect((await metrics('', { method: 'POST', token: null })).status).toBe(401)
  expect((await metrics('', { method: 'POST' })).status).toBe(405)
  await stop()
})

//
test('a token for others gets 403, and too many wrong ones get 429', onOneStore, async () => {
  const data = temporaryFolder()
  const token = await issue(data, 'admin', { repos: ['nobody/*'] })
  const { client, stop } = await start(data, { contract })
  for (const operationId of operationIds) {
    const { status } = await client.call(operationId, examples.get(operationId), { token })
    expect([operationId, status]).toEqual([
      operationId,
      operationId === 'reportTestRun' ? 404 : 403,
    ])
  }
  for (let count = 0; count < mostFailures; count++) {
    await client.call('getQueue', main, { token: 'wrong' })
  }
  for (const operationId of operationIds) {
    const { status } = await client.call(operationId, examples.get(operationId), {
      token: 'wrong',
    })
    expect([operationId, status]).toEqual([operationId, 429])
  }
  const metrics = '/v1/getMergeQueueMetrics'
  const scraped = await client.get('getMergeQueueMetrics', metrics, { token: 'wrong' })
  expect(scraped.status).toBe(429)
  await stop()
})

test(
  'given a disk that fails, every operation gets 500 and /readyz gets 503',
  onOneStore,
  async () => {
    const { url, log } = await startOnBrokenDisk()
    const client = new Client(url, 'admin', contract)
    expect((await client.get('readyz', '/readyz')).status).toBe(200)
    expect((await client.call('createQueue', main)).status).toBe(500)
    for (const operationId of operationIds) {
      const { status, text } = await client.call(operationId, examples.get(operationId))
      expect([operationId, status]).toEqual([operationId, 500])
      const requestId = /request id (\S+)$/.exec(text)?.[1] ?? 'none'
      expect(log.some((line) => line.includes(requestId))).toBe(true)
    }
    expect((await client.get('getMergeQueueMetrics', '/v1/getMergeQueueMetrics')).status).toBe(500)
    expect((await client.get('readyz', '/readyz')).status).toBe(503)
    expect((await client.get('healthz', '/healthz')).status).toBe(200)
  },
)

test('large bodies in progress hold at most 128 MiB together', onOneStore, async () => {
  const { client, url, stop } = await start(temporaryFolder(), { contract })
  const headers = { 'x-api-token': 'admin-token-of-a-test', 'content-type': 'application/json' }
  const unfinished = Array.from({ length: 6 }, () => {
    const request = openRequest(`${url}/v1/getQueue`, { method: 'POST', headers })
    request.on('error', () => undefined)
    request.write(Buffer.alloc(largestBodyBytes, ' '))
    return request
  })
  const large = gzipSync(Buffer.alloc(largestBodyBytes, ' '))
  const call = { headers: { 'content-encoding': 'gzip' } }
  await expect.poll(async () => (await client.call('getQueue', large, call)).status).toBe(503)
  for (const operationId of operationIds) {
    expect((await client.call(operationId, large, call)).status).toBe(503)
    expect((await client.call(operationId, '{')).status).toBe(400)
  }
  for (const request of unfinished) request.destroy()
  await expect.poll(async () => (await client.call('getQueue', large, call)).status).toBe(400)
  await stop()
})

// In the matrix only some of the tests above run.
test.runIf(onOneStore.tags.length === 0)('every documented status has occurred', () => {
  expect(contract.unseen).toEqual([])
})
