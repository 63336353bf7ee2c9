/** Webhooks only say where to look: doubled, late, out of order or missing, the end is the same. */

import { once } from 'node:events'
import { createServer, request, type ClientRequest } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { answerHook, type HookPorts } from '../forge/hook.ts'
import { HookBudgets } from '../http/limits.ts'
import { githubDialect } from './adapter.ts'
import { githubWorld } from './testing/github-world.ts'

const change = { 'pay.txt': 'twice\n' }
const label = 'merge-queue'
/** So long that only webhooks make the server look. */
const never = 3_600_000

//
test('with webhooks nothing waits for a poll', { tags: ['matrix'] }, async () => {
  const world = await githubWorld({ pollMs: never, webhooks: 'once', isAutomatic: true })
  await world.open(7, change, { labels: [label] })
  await world.open(8, { 'broken/8': '' }, { labels: [label] })
  await world.queue.untilState('MERGED', 7)
  await world.queue.untilState('FAILED', 8)
  await world.fake.hooks.settled()
  expect(world.fake.faults).toEqual([])
})

//
test.each(['missing', 'once', 'twice', 'late'] as const)(
  'given webhooks that come %s, the end is the same',
  { tags: ['matrix'] },
  async (webhooks) => {
    const world = await githubWorld({ isAutomatic: true, webhooks })
    await world.open(7, change, { labels: [label] })
    await world.open(8, { 'broken/8': '' }, { labels: [label] })
    await world.open(9, { 'other.txt': 'new\n' }, { labels: [label] })
    world.change(9, { state: 'closed' })
    await world.deliver('pull_request', { pull_request: { number: 99 } })
    await world.queue.untilState('MERGED', 7)
    await world.queue.untilState('FAILED', 8)
    // They say what was true once.
    await world.fake.hooks.sendLate()
    await world.seen()
    expect(world.queue.states()).toMatchObject({ 7: 'MERGED', 8: 'FAILED' })
    expect(world.queue.states()[9] ?? 'CANCELLED').toBe('CANCELLED')
    expect(await world.repository.landed()).toEqual(['7'])
    expect(world.fake.faults).toEqual([])
  },
)

//
test('a webhook that is not signed with our secret is refused', async () => {
  const world = await githubWorld()
  const payload = { pull_request: { number: 7 } }
  expect(await world.deliver('pull_request', payload, 'another secret')).toBe(401)
  expect(await world.deliver('pull_request', payload)).toBe(202)
  const url = `${world.queue.server.url}/hooks/github`
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await fetch(url)).status).toBe(405)
})

/** A server that takes webhooks, which may take `hookMs` to arrive, and a stranger who sends some. */
async function hookServer(hookMs: number) {
  const limits = { budgets: new HookBudgets(), hookMs }
  const ports: HookPorts = {
    path: '/hooks/github',
    dialect: githubDialect,
    secrets: () => ['secret'],
    hint: () => undefined,
  }
  const server = createServer((incoming, response) => {
    void answerHook(ports, limits, incoming, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return (size: number): ClientRequest => {
    const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}`, 'content-length': size }
    const sent = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false })
    onTestFinished(() => void sent.destroy())
    return sent
  }
}

/** Undefined: the connection was closed without an answer. */
function statusOf(sent: ClientRequest): Promise<number | undefined> {
  sent.flushHeaders()
  return new Promise((resolve) => {
    sent.on('response', (response) => resolve(response.resume().statusCode))
    sent.on('error', () => resolve(undefined))
  })
}

const mebibyte = 1 << 20

//
test('a webhook that does not arrive is dropped', async () => {
  const stranger = await hookServer(20)
  expect(await statusOf(stranger(mebibyte))).toBe(undefined)
})

//
test('webhooks that an address has not finished hold 8 MiB at most', async () => {
  const stranger = await hookServer(600_000)
  expect(await statusOf(stranger(8 * mebibyte + 1))).toBe(413)
  const unfinished = Array.from({ length: 9 }, () => {
    const sent = stranger(2 * mebibyte)
    sent.write(Buffer.alloc(mebibyte))
    return statusOf(sent)
  })
  expect(await Promise.race(unfinished)).toBe(503)
})
