/** Who may ask for a page: sign-in, sign-out, other sites, and what the cookie is good for. */

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { dataFolder } from '../store/data-folder.ts'
import { issue } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { Sessions, sessionFile } from './sessions.ts'
import { PageClient, type PageWorld, pageWorld } from './testing/page-client.ts'

const pause = { operation: 'updateQueue', body: { state: 'PAUSED' } }
const signedIn = { signedIn: true, tokenName: '--token', scopes: ['admin'], publicPage: false }

test('a token signs in, the cookie says who it is, and sign-out ends it', async () => {
  const { server, visitor } = await pageWorld()
  expect((await visitor.get('/page/me')).body).toEqual(signedIn)
  const { sessions } = dataFolder(server.data)
  const written = readFileSync(sessions, 'utf8')
  expect(written).not.toContain('admin-token-of-a-test')
  expect(written).not.toContain(visitor.cookie.split('=')[1])
  expect(statSync(sessions).mode & 0o777).toBe(0o600)

  const { cookie } = visitor
  expect((await visitor.post('/page/sign-out', {})).status).toBe(204)
  visitor.cookie = cookie
  expect((await visitor.get('/page/me')).body).toMatchObject({ signedIn: false, tokenName: null })
  expect((await visitor.get('/page/queues')).status).toBe(401)
})

test('the cookie is for the page only: the API does not know it', async () => {
  const { visitor } = await pageWorld()
  expect((await visitor.post('/v1/getQueue', main)).status).toBe(401)
})

test('the cookie cannot be read by scripts, or sent by other sites; with https only over https', async () => {
  const { visitor } = await pageWorld()
  const secure = await pageWorld({}, { publicUrl: 'https://queue.example.com' })
  expect(visitor.setCookie).toMatch(/^mergeyard=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(secure.visitor.setCookie).toMatch(
    /^__Host-mergeyard=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  )
})

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
])('a request of %s changes nothing and shows nothing', async (_, headers) => {
  const { server, visitor, queue } = await pageWorld()
  expect((await visitor.post(`/page/act?queue=${queue}`, pause, headers)).status).toBe(403)
  expect((await visitor.post('/page/sign-out', {}, headers)).status).toBe(403)
  expect((await visitor.get('/page/queues', headers)).status).toBe(403)
  await expect(visitor.stream(queue, headers)).rejects.toThrow('403')
  const [known] = [...server.manager.registry.queues]
  expect(known?.engine.queue.state).toBe('RUNNING')
  expect((await visitor.get('/page/me')).body).toEqual(signedIn)
})

//
test('a page that gave its own name the address of this machine sees nothing', async () => {
  const own = { publicPage: true, publicUrl: 'https://queue.acme.com' }
  const { server } = await pageWorld({}, own)
  const asked = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { host, 'sec-fetch-site': 'same-origin' }
      get(`${server.url}/page/queues`, { headers, agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).on('error', reject)
    })
  expect(await asked('evil.example:3000')).toBe(421)
  expect(await asked('127.0.0.1.evil.example')).toBe(421)
  for (const known of [
    '127.0.0.1:9',
    'localhost',
    'shop.localhost:3000',
    '[::1]:3000',
    'queue.acme.com',
    // As proxies pass it on.
    'queue.acme.com:443',
    'Queue.Acme.com',
  ]) {
    expect(await asked(known)).toBe(200)
  }
})

// A browser that does not say which site asks names the origin, as also over http.
test.each([
  [200, 'https://queue.acme.com', { host: '127.0.0.1:3000', origin: 'https://queue.acme.com' }],
  [200, 'https://queue.acme.com:443', { host: 'queue.acme.com', origin: 'https://queue.acme.com' }],
  [200, '', { host: 'localhost:3000', origin: 'http://localhost:3000' }],
  [403, 'https://queue.acme.com', { host: 'queue.acme.com', origin: 'https://evil.example' }],
  [403, '', { host: '127.0.0.1:3000', origin: 'http://queue.lan' }],
  [403, '', { host: '127.0.0.1:3000', origin: 'null' }],
])('answered %d with the address "%s": a request with %j', async (status, publicUrl, headers) => {
  const { server } = await pageWorld({}, { publicUrl })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.url}/page/me`, { headers, agent: false }, resolve).on('error', reject)
  })
  expect(response.statusCode).toBe(status)
  const answer = await textOf(response)
  if (status === 200) return
  expect(answer).toContain(`not from \\"${publicUrl === '' ? headers.host : 'queue.acme.com'}\\"`)
  expect(answer).toContain(`comes from \\"${headers.origin}\\"`)
  expect(answer).toContain('if people reach the server there, set --public-url')
})

test('a form of another site is refused for its content type', async () => {
  const { visitor, queue } = await pageWorld()
  const headers = { 'content-type': 'text/plain' }
  expect((await visitor.post(`/page/act?queue=${queue}`, pause, headers)).status).toBe(415)
})

test('wrong tokens are refused, and then slowed down', async () => {
  const { server } = await pageWorld()
  const guesser = new PageClient(server.url)
  const statuses: number[] = []
  for (let count = 0; count < 62; count++) statuses.push(await guesser.signIn(`guess ${count}`))
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(statuses.at(-1)).toBe(429)
})

const caller = { id: 'a', name: 'ci', scope: 'read', repos: null, expiresAt: null } as const
const tokens = { callerWithHash: () => caller }

test('a session ends after half a day without a visit, and after a week in any case', async () => {
  const path = join(temporaryFolder(), 'sessions.json')
  const clock = { hours: 0 }
  const open = (): Sessions =>
    new Sessions(sessionFile(path), tokens, () => clock.hours * 3_600_000)
  const sessions = open()
  const idle = await sessions.begin('token')
  clock.hours = 12.1
  expect(sessions.callerOf(idle)).toBeNull()

  const watched = await sessions.begin('token')
  clock.hours += 10
  expect(sessions.watcherOf(watched)).toEqual(caller)
  clock.hours += 2.1
  expect(sessions.watcherOf(watched)).toBeNull()

  const busy = await sessions.begin('token')
  for (let count = 0; count < 16; count++) {
    clock.hours += 10
    expect(sessions.callerOf(busy)).toEqual(caller)
  }
  await sessions.close()
  expect(open().callerOf(busy)).toEqual(caller)
  clock.hours += 10
  expect(sessions.callerOf(busy)).toBeNull()
})

test('a token has ten sessions at most: the oldest ends', async () => {
  const sessions = new Sessions(sessionFile(join(temporaryFolder(), 'sessions.json')), tokens)
  const cookies: string[] = []
  for (let count = 0; count < 11; count++) cookies.push(await sessions.begin('token'))
  expect(cookies.map((cookie) => sessions.callerOf(cookie) !== null)).toEqual([
    false,
    ...Array.from({ length: 10 }, () => true),
  ])
})

test.each(['{', '{}', '[1]', '[{"id":"a"}]'])('a file of sessions with %s is refused', (text) => {
  const path = join(temporaryFolder(), 'sessions.json')
  writeFileSync(path, text)
  expect(() => sessionFile(path)).toThrow(path)
})

// Actions of the page are operations of the API.

type Done = readonly [operation: string, body: object]

/** Returns what the page answers to an action. */
const acting =
  ({ visitor, queue }: PageWorld) =>
  (...[operation, body]: Done) =>
    visitor.post(`/page/act?queue=${queue}`, { operation, body })

test('each action changes the queue as the API does, and the log says who did it', async () => {
  const world = await pageWorld()
  const { server, visitor, queue, submit } = world
  await submit(1)
  const done = async (...actions: readonly Done[]): Promise<void> => {
    for (const each of actions) expect((await acting(world)(...each)).status).toBe(200)
  }
  await done(
    ['submitPullRequest', { pr: { number: 7 }, noBatch: true }],
    ['submitPullRequest', { pr: { number: 7 }, priority: 'high' }],
    ['restartTestsOnPullRequest', { pr: { number: 1 } }],
    ['cancelPullRequest', { pr: { number: 1 } }],
    ['updateQueue', { concurrency: 9, targetBranch: 'next' }],
    ['updateQueue', { state: 'PAUSED' }],
  )
  const [known] = [...server.manager.registry.queues]
  expect(known?.engine.queue).toMatchObject({
    state: 'PAUSED',
    configuration: { concurrency: 9 },
    pullRequests: { 1: { state: 'CANCELLED' }, 7: { priority: 10, noBatch: true } },
  })
  await done(['updateQueue', { state: 'DRAINING' }], ['updateQueue', { state: 'RUNNING' }])
  expect(known?.engine.queue.state).toBe('RUNNING')
  const { body } = await visitor.get(`/page/pull-request?queue=${queue}&number=7`)
  expect(body).toMatchObject({
    timeline: [
      { text: 'Submitted by --token; waits to be tested.' },
      { text: 'Its tests start.' },
      { text: '#1 ahead has left; waits to be tested.' },
      { text: 'Its tests start.' },
    ],
  })
})

test('what the API refuses is refused in its words', async () => {
  const world = await pageWorld()
  const { visitor, queue } = world
  for (const [operation, body, status, words] of [
    ['cancelPullRequest', { pr: { number: 5 } }, 404, ''],
    ['submitPullRequest', { pr: { number: -1 } }, 400, ''],
    ['updateQueue', { concurrency: 0 }, 400, '/concurrency'],
    ['__proto__', {}, 400, 'operation must be one of submit'],
    ['deleteQueue', {}, 400, 'operation must be one of submit'],
    // only where the server works on the repository.
    ['submitPullRequest', { branch: 'pay-twice' }, 409, 'repository'],
  ] as const) {
    const refused = { status, body: { error: expect.stringContaining(words) } }
    expect(await acting(world)(operation, body)).toMatchObject(refused)
  }
  expect((await visitor.post(`/page/act?queue=${queue}`, [])).status).toBe(400)
  expect((await acting({ ...world, queue: 'x' })('updateQueue', {})).status).toBe(404)
})

test('a token that may only read, may only read', async () => {
  const world = await pageWorld()
  const reader = new PageClient(world.server.url)
  const token = await issue(world.server.data, 'read')
  await expect.poll(() => reader.signIn(token)).toBe(204)
  const act = acting({ ...world, visitor: reader })
  expect(await act('submitPullRequest', { pr: { number: 1 } })).toMatchObject({
    status: 403,
    body: { error: expect.stringContaining('a token of scope read may not do this') },
  })
})

//
test('a run is shown with what it tested, and says why it has no output here', async () => {
  const { server, visitor, queue, submit } = await pageWorld(
    { batch: false, concurrency: 2 },
    { publicPage: true },
  )
  await submit(1, 2)
  expect(await visitor.get(`/page/run?queue=${queue}&run=2`)).toMatchObject({
    status: 200,
    body: {
      run: { outcome: null, tested: [2], base: [1] },
      log: '',
      noLog: 'there is no log of run 2 here: its tests have not begun, or another system runs them',
    },
  })
  await server.client.ok('cancelPullRequest', { ...main, pr: { number: 2 } })
  expect(await visitor.get(`/page/run?queue=${queue}&run=2`)).toMatchObject({
    body: {
      run: { outcome: 'cancelled' },
      noLog: expect.stringContaining('it was cancelled before its tests began'),
    },
  })
  expect((await visitor.get(`/page/run?queue=${queue}&run=3`)).status).toBe(404)
  expect((await new PageClient(server.url).get(`/page/run?queue=${queue}&run=2`)).status).toBe(401)
})

//
test('the list of queues says who is in each, who is next, and who failed last', async () => {
  const { server, visitor, submit } = await pageWorld({ batch: false, concurrency: 1 })
  const glance = async () => (await visitor.get('/page/queues')).body
  expect(await glance()).toMatchObject({
    queues: [{ inLine: 0, waits: 0, next: null, lastFailure: null }],
  })
  await submit(1, 2, 3)
  await server.client.report('failed')
  expect(await glance()).toMatchObject({
    queues: [{ inLine: 1, waits: 1, next: { number: 2 }, lastFailure: { number: 1 } }],
  })
})

//
test('while only a bisection is tested, the list of queues says which of its members is next', async () => {
  const batches = { batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 0, concurrency: 1 }
  const { server, visitor, submit } = await pageWorld(batches)
  await submit(1, 2, 3)
  await server.client.report('passed')
  await server.client.report('failed')
  expect((await visitor.get('/page/queues')).body).toMatchObject({
    queues: [{ inLine: 2, waits: 0, next: { number: 2 } }],
  })
})
