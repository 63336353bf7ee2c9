/** The stream of the live page, over HTTP. */

import { request, createServer, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { issue } from '../testing/test-server.ts'
import { writeTokens } from '../auth/tokens.ts'
import { dataFolder } from '../store/data-folder.ts'
import { PageClient, pageWorld } from './testing/page-client.ts'
import { listening } from '../testing/listening.ts'
import { Watcher } from './channel.ts'

test('a stream begins with a whole, and then says what changes', async () => {
  const { server, visitor, queue, submit } = await pageWorld()
  await submit(1, 2, 3)
  const stream = await visitor.stream(queue)
  const whole = await stream.frame()
  expect(whole).toMatchObject({
    kind: 'whole',
    sequence: server.manager.registry.sequence,
    queue: { id: queue, owner: 'acme', slotsUsed: 2 },
    waiting: { order: [3], total: 1 },
  })
  expect(whole.rows.map(({ number, state, why }) => ({ number, state, why }))).toEqual([
    { number: 1, state: 'TESTING', why: 'Its tests run.' },
    { number: 2, state: 'TESTING', why: 'Its tests run on top of #1.' },
    { number: 3, state: 'PENDING', why: 'Waits for a slot; all 2 are in use.' },
  ])

  await server.client.ok('cancelPullRequest', { ...main, pr: { number: 1 } })
  const frames = await stream.until(server.manager.registry.sequence)
  expect(frames.every(({ kind }) => kind === 'change')).toBe(true)
  const [last] = frames.slice(-1)
  expect(last).toMatchObject({
    kind: 'change',
    gone: [],
    rows: [
      { number: 1, state: 'CANCELLED', why: 'Cancelled by --token.' },
      { number: 2 },
      { number: 3 },
    ],
    waiting: { order: [], total: 0 },
  })
})

//
test('given a queue that stops at an error of its engine, who watches it is cut off, and the server goes on', async () => {
  const { server, visitor, queue, submit } = await pageWorld()
  const next = { ...main, targetBranch: 'next' }
  await server.client.ok('createQueue', next)
  const stream = await visitor.stream(queue)
  await stream.frame()
  server.manager.registry.find('github.com/acme/shop:main')?.engine.subscribe(() => {
    throw new Error('an error of the engine')
  })
  await expect(submit(1)).rejects.toThrow('500')
  await server.client.ok('submitPullRequest', { ...next, pr: { number: 1 } })
  expect(await stream.next()).toBeNull()
  expect((await visitor.get(`/page/pull-request?queue=${queue}&number=1`)).status).toBe(500)
  expect(await server.client.ok('getQueue', next)).toMatchObject({ state: 'RUNNING' })
})

test('after a restart the next stream begins with a whole, and nobody has to sign in again', async () => {
  const { folder, server, visitor, queue } = await pageWorld()
  const stream = await visitor.stream(queue)
  await stream.frame()
  await server.stop()
  expect(await stream.next()).toBe('bye')
  expect(await stream.next()).toBeNull()

  const { server: second } = await pageWorld({}, {}, folder)
  const again = new PageClient(second.url)
  again.cookie = visitor.cookie
  const whole = await (await again.stream(queue)).frame()
  expect(whole).toMatchObject({ kind: 'whole', sequence: second.manager.registry.sequence })
})

test('a stream ends when its token is revoked, and when its visitor signs out', async () => {
  const { server, queue } = await pageWorld()
  const token = await issue(server.data, 'read')
  const reader = new PageClient(server.url)
  await expect.poll(() => reader.signIn(token)).toBe(204)
  const revoked = await reader.stream(queue)
  await revoked.frame()
  await writeTokens(dataFolder(server.data).tokens, [])
  expect(await revoked.next()).toBeNull()
  expect(await reader.get('/page/me')).toMatchObject({ body: { signedIn: false } })

  const admin = new PageClient(server.url)
  await admin.signIn('admin-token-of-a-test')
  const stream = await admin.stream(queue)
  await stream.frame()
  await admin.post('/page/sign-out', {})
  expect(await stream.next()).toBeNull()
})

test('a token for other repositories sees no queue, and gets no stream', async () => {
  const { server, queue } = await pageWorld()
  const token = await issue(server.data, 'read', { repos: ['other/*'] })
  const reader = new PageClient(server.url)
  await expect.poll(() => reader.signIn(token)).toBe(204)
  expect((await reader.get('/page/queues')).body).toEqual({ queues: [] })
  const [hidden, missing] = [
    await reader.get(`/page/trends?queue=${queue}`),
    await reader.get('/page/trends?queue=00000000-0000'),
  ]
  expect(hidden.status).toBe(404)
  expect(hidden).toEqual(missing)
  await expect(reader.stream(queue)).rejects.toThrow('404')
})

test('of 10,000 in the queue the first 200 who wait are sent, and how many there are', async () => {
  const { server, visitor, queue } = await pageWorld()
  const name = 'github.com/acme/shop:main'
  for (let number = 1; number <= 10_000; number++) {
    server.manager.send(name, { type: 'submitPullRequest', number })
  }
  const whole = await (await visitor.stream(queue)).frame()
  expect(whole.waiting).toMatchObject({ total: 9_998 })
  expect(whole.waiting?.order).toHaveLength(200)
  expect(whole.rows).toHaveLength(202)
})

test('a page above the limit is told why, and there is room when one leaves', async () => {
  const { visitor, queue } = await pageWorld({}, { watchers: 2 })
  const path = `/page/stream?queue=${queue}`
  const one = await visitor.stream(queue)
  await visitor.stream(queue)
  expect(await visitor.get(path)).toMatchObject({
    status: 503,
    body: {
      error: '2 pages watch this server, and it takes no more; an operator can raise --watchers',
    },
  })
  expect((await new PageClient(visitor.url).get(path)).status).toBe(401)
  one.response.destroy()
  await expect.poll(() => visitor.stream(queue).then(() => true, String)).toBe(true)
})

test('one sign-in has at most 20 pages, and others can still watch', async () => {
  const { visitor, queue } = await pageWorld()
  for (let page = 0; page < 20; page++) await visitor.stream(queue)
  await expect(visitor.stream(queue)).rejects.toThrow('503')
  const other = new PageClient(visitor.url)
  await other.signIn('admin-token-of-a-test')
  expect(await (await other.stream(queue)).frame()).toMatchObject({ kind: 'whole' })
})

test('a deleted queue ends its streams', async () => {
  const { server, visitor, queue } = await pageWorld()
  const stream = await visitor.stream(queue)
  await stream.frame()
  await server.client.ok('deleteQueue', main)
  expect(await stream.next()).toBeNull()
})

// A page that reads slowly, or never, holds up nobody.

const mebibyte = Buffer.alloc(1 << 20, 'x')
const most = 64

/** A watcher, and the response that its reader gets; nothing is read yet. */
async function watched() {
  const happened: string[] = []
  const watchers: Watcher[] = []
  const server = createServer((_request, response) => {
    response.writeHead(200)
    response.flushHeaders()
    const events = {
      onCaughtUp: () => void happened.push('caught up'),
      onClose: () => void happened.push('closed'),
    }
    watchers.push(new Watcher(response, events))
  })
  const port = await listening(server)
  const reader = await new Promise<IncomingMessage>((resolve) =>
    request({ port, agent: false }, resolve).end(),
  )
  reader.pause()
  const [watcher] = watchers
  if (!watcher) throw new Error('nobody watches')
  return { watcher, reader, happened }
}

test('what a slow reader cannot take is not kept for it, and it is told when it can read on', async () => {
  const { watcher, reader, happened } = await watched()
  for (let count = 0; count < most; count++) watcher.send(mebibyte)
  expect(happened).toEqual([])
  let bytes = 0
  reader.on('data', (chunk: Buffer) => (bytes += chunk.length))
  reader.resume()
  await expect.poll(() => happened).toEqual(['caught up'])
  watcher.send(Buffer.from('a change before the whole'))
  watcher.sendWhole(Buffer.from('whole'))
  watcher.send(Buffer.from('again'))
  watcher.end(Buffer.from('bye'))
  await new Promise((resolve) => reader.on('end', resolve))
  expect(bytes).toBeLessThan(most * mebibyte.length)
  expect(bytes % mebibyte.length).toBe('wholeagainbye'.length)
})

test('a stop does not wait for a reader that never reads', async () => {
  const { watcher, happened } = await watched()
  for (let count = 0; count < most; count++) watcher.send(mebibyte)
  watcher.end(Buffer.from('bye'))
  await expect.poll(() => happened).toEqual(['closed'])
})

test('a reader that is gone is told once', async () => {
  const { watcher, reader, happened } = await watched()
  reader.destroy()
  await expect.poll(() => happened).toEqual(['closed'])
  watcher.send(mebibyte)
  expect(happened).toEqual(['closed'])
})
