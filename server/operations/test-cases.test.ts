/** Reports of test runs, the test cases they name, flakes and tickets. */

import { expect, test } from 'vitest'
import { main, shop } from '../testing/client.ts'
import { started, startedWith, type TestServer } from '../testing/any-store.ts'
import type * as wire from '../contract/wire.ts'

const paysTwice = { name: 'pays twice', file: 'checkout.test.ts' }
const paysTwiceId = '5c9486d3-f1e6-5062-8d3a-1ae330557b83'

async function withRun(settings: object = {}): Promise<TestServer> {
  const server = await startedWith(settings)
  await server.client.submit(1)
  return server
}

async function runInProgress({ client }: TestServer): Promise<string> {
  return (await client.runs())[0]?.testRunId ?? 'none'
}

async function casesIn({ client }: TestServer, repo = shop): Promise<wire.TestCase[]> {
  return (await client.ok<wire.TestCasePage>('listTestCases', { repo })).testCases
}

test('a late report changes nothing in the queue, but the names of its tests are recorded', async () => {
  const server = await withRun()
  const testRunId = await runInProgress(server)
  const messages = { testRunId, outcome: 'passed', flakyTests: [paysTwice, paysTwice] }
  const first = await server.client.ok<wire.TestRunReported>('reportTestRun', messages)
  expect(first).toEqual({ testCases: [{ name: 'pays twice', test_case_id: expect.any(String) }] })
  const late = { testRunId, outcome: 'failed', failedTests: [paysTwice, { name: 'logs in' }] }
  const second = await server.client.ok<wire.TestRunReported>('reportTestRun', late)
  expect(second.ignored).toBe(true)
  expect(second.testCases.map(({ name }) => name)).toEqual(['pays twice', 'logs in'])
  expect(await server.client.pull(1)).toMatchObject({ state: 'MERGED' })
  expect(await casesIn(server)).toMatchObject([
    { ...paysTwice, flakes: 1, external_ticket_id: null },
    { name: 'logs in', file: '', flakes: 0, lastFlakeAt: null },
  ])
})

test('the id of a test case depends only on host, owner, name, file and test name', async () => {
  const server = await withRun()
  const { testCases } = await server.client.ok<wire.TestRunReported>('reportTestRun', {
    testRunId: await runInProgress(server),
    outcome: 'failed',
    failedTests: [paysTwice, { name: 'pays twice' }],
  })
  expect(testCases[0]?.test_case_id).toBe(paysTwiceId)
  expect(testCases[1]?.test_case_id).not.toBe(paysTwiceId)
})

test('given a pass and a failure on one composition, the failed test counts as a flake', async () => {
  const server = await withRun()
  const { client } = server
  await client.submit(2)
  await client.report('passed', { of: 2 })
  await client.ok('restartTestsOnPullRequest', { ...main, pr: { number: 2 } })
  await client.report('failed', { of: 2, failedTests: [paysTwice] })
  const [flaky] = await casesIn(server)
  expect(flaky).toMatchObject({ test_case_id: paysTwiceId, flakes: 1 })
  expect(flaky?.lastFlakeAt).toMatch(/^2\d{3}-/)
})

test('a ticket can be linked, linked again and replaced, and stays when the queue is deleted', async () => {
  const server = await withRun()
  const { client } = server
  await client.report('failed', { failedTests: [paysTwice] })
  const link = (ticket: string, more = {}): Promise<wire.TicketLink> =>
    client.ok('linkTicketToTestCase', {
      test_case_id: paysTwiceId,
      external_ticket_id: ticket,
      repo: shop,
      ...more,
    })
  const first = await link('KAN-123')
  expect(await link('KAN-123', { test_case_id: paysTwiceId.toUpperCase() })).toEqual(first)
  expect((await link('OPS-7')).external_ticket_id).toBe('OPS-7')
  // the prefix is whatever the tracker uses.
  for (const ticket of ['2FA-12', 'my-team-12', 'A_B-1', 'ops.eu-3', 'größe-9', '7-7']) {
    expect((await link(ticket)).external_ticket_id).toBe(ticket)
  }
  await link('OPS-7')
  await client.ok('deleteQueue', main)
  expect(await casesIn(server)).toMatchObject([{ external_ticket_id: 'OPS-7' }])
})

test('a link to an unknown test case gets 404, and a malformed one gets 400', async () => {
  const { client } = await started()
  const body = { test_case_id: paysTwiceId, external_ticket_id: 'KAN-123', repo: shop }
  const other = { ...shop, name: 'other' }
  const ticket = 'must be a project key or team identifier, a dash and a number, like KAN-123'
  expect((await client.call('linkTicketToTestCase', { ...body, repo: other })).status).toBe(404)
  for (const [field, value, expected] of [
    ['test_case_id', 'KAN-123', 'must be a uuid, got "KAN-123"'],
    ['test_case_id', `urn:uuid:${paysTwiceId}`, `must be a uuid, got "urn:uuid:${paysTwiceId}"`],
    ['external_ticket_id', '123', `${ticket}, got "123"`],
    ['external_ticket_id', '-12', `${ticket}, got "-12"`],
    ['external_ticket_id', 'KAN-', `${ticket}, got "KAN-"`],
    ['external_ticket_id', 'my team-12', `${ticket}, got "my team-12"`],
    ['external_ticket_id', 7, `${ticket}, got 7`],
  ] as const) {
    const { status, text } = await client.call('linkTicketToTestCase', { ...body, [field]: value })
    expect([status, text]).toEqual([400, `/${field} ${expected}`])
  }
})

test('listTestCases returns pages, in the order in which test cases became known', async () => {
  const server = await withRun()
  const names = ['c', 'a', 'b', 'd', 'e']
  await server.client.report('failed', { failedTests: names.map((name) => ({ name })) })
  const listed: string[] = []
  let cursor: string | undefined
  do {
    const body = { repo: shop, take: 2, ...(cursor === undefined ? {} : { cursor }) }
    const page = await server.client.ok<wire.TestCasePage>('listTestCases', body)
    listed.push(...page.testCases.map(({ name }) => name))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  expect(listed).toEqual(names)
  expect(await casesIn(server, { ...shop, name: 'other' })).toEqual([])
})
