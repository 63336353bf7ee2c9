/** The public view: only what everybody may know. */

import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import type { QueueHead, Row, RunRow } from './frame.ts'
import type { UnnamedPullRequest, UnnamedStep } from '../views/why.ts'
import type { PublicHead, PublicRow, PublicRun, PublicView, View } from './view.ts'
import { PageClient, pageWorld } from './testing/page-client.ts'

const secret = '<img src=x onerror=alert(1)> SECRET'

/** A queue with hostile texts wherever there can be texts. */
async function hostileWorld(publicPage: boolean) {
  const world = await pageWorld({ batch: false, concurrency: 2 }, { publicPage })
  const { server, submit } = world
  await submit(1, 2, 3)
  const describe = { title: secret, author: secret }
  for (const number of [1, 2, 3]) {
    await server.client.ok('reportPullRequest', { ...main, pr: { number }, ...describe })
  }
  await server.client.report('failed', {
    failedTests: [{ name: secret, file: secret }],
    flakyTests: [{ name: `${secret} flaky` }],
  })
  await server.client.ok('quarantineTest', { ...main, test: secret, why: secret })
  await server.client.ok('updateQueue', { ...main, state: 'PAUSED' })
  return { ...world, stranger: new PageClient(server.url) }
}

test('without the option, a stranger sees nothing', async () => {
  const { stranger, queue } = await hostileWorld(false)
  for (const path of ['queues', `trends?queue=${queue}`, `pull-request?queue=${queue}&number=1`]) {
    expect((await stranger.get(`/page/${path}`)).status).toBe(401)
  }
  await expect(stranger.stream(queue)).rejects.toThrow('401')
})

const allowed = new Set([
  ...'kind sequence now queue rows line waiting gone id host owner name targetBranch'.split(' '),
  ...'state stateSince stateBy mode batching size waitMinutes concurrency slotsUsed faults'.split(
    ' ',
  ),
  ...'number since submittedAt urgent why estimate groups bisections members phase run'.split(' '),
  ...'dependsOn startedAt expectedMinutes outcome steps proven culprits tested base order'.split(
    ' ',
  ),
  ...'total at isBisected row timeline runs stoodOn stack dependents earlier text'.split(' '),
  ...'endedAt isOfBisection queues hours flakyTests quarantine from merged failed'.split(' '),
  ...'medianMinutes p95Minutes runsPassed runsFailed healthyEvicted waysIn inLine waits'.split(' '),
  ...'next lastFailure'.split(' '),
])

function fieldsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => [name, ...fieldsIn(each)])
}

test('a stranger sees the line, and no title, person, test or token', async () => {
  const { stranger, queue } = await hostileWorld(true)
  const seen: unknown[] = [await (await stranger.stream(queue)).frame()]
  for (const path of [
    'queues',
    `trends?queue=${queue}`,
    ...[1, 2, 3].map((number) => `pull-request?queue=${queue}&number=${number}`),
  ]) {
    const { status, body } = await stranger.get(`/page/${path}`)
    expect([path, status]).toEqual([path, 200])
    seen.push(body)
  }
  expect(fieldsIn(seen).filter((name) => !allowed.has(name))).toEqual([])
  expect(JSON.stringify(seen)).not.toMatch(/SECRET|--token|onerror/)
  expect(seen[0]).toMatchObject({
    queue: { state: 'PAUSED', stateBy: null },
    rows: [{ number: 1, state: 'FAILED' }, { number: 2 }, { number: 3 }],
  })
})

type Refused<Given, Into> = Given extends Into ? never : true

// The build fails if one of these types is accepted where strangers read.
test('the compiler puts nothing of members into the public view', () => {
  const row: Refused<Required<Row>, PublicRow> = true
  const run: Refused<Required<RunRow>, PublicRun> = true
  const head: Refused<QueueHead, PublicHead> = true
  const person: Refused<'by', keyof UnnamedStep> = true
  const tests: Refused<'failedTests', keyof NonNullable<UnnamedPullRequest['evidence']>> = true
  const view: Refused<View, PublicView> = true
  expect([row, run, head, person, tests, view]).not.toContain(false)
})

test('a stranger cannot act', async () => {
  const { stranger, queue } = await hostileWorld(true)
  const resume = { operation: 'updateQueue', body: { state: 'RUNNING' } }
  expect(await stranger.post(`/page/act?queue=${queue}`, resume)).toMatchObject({
    status: 401,
    body: { error: 'sign in first' },
  })
})

test('members get all texts as they are, as JSON', async () => {
  const { visitor, queue } = await hostileWorld(false)
  const whole = await (await visitor.stream(queue)).frame()
  expect(whole.rows).toMatchObject([
    { number: 1, member: { evidence: { failedTests: [secret] } } },
    { number: 2, member: { title: secret, author: secret } },
    { number: 3 },
  ])
  expect(whole.queue).toMatchObject({ state: 'PAUSED', stateBy: '--token' })
})
