/** What a client makes of the answers of a host. */

import { createServer, type RequestListener } from 'node:http'
import { pino } from 'pino'
import { expect, test, onTestFinished, vi } from 'vitest'
import { gitea } from '../gitea/testing/fake-gitea.ts'
import { github } from '../github/testing/fake-github.ts'
import { gitlab } from '../gitlab/testing/fake-gitlab.ts'
import { TestRepository } from '../hosting/testing/test-repository.ts'
import { listening } from '../testing/listening.ts'
import { listeningWithTls } from '../testing/tls.ts'
import { RestClient } from './rest.ts'
import { written } from './testing/acts.ts'
import { placeAt } from './testing/code-host-world.ts'
import { FakeCodeHost } from './testing/fake-code-host.ts'
import { openedPull } from './testing/state.ts'

const token = 'secret-of-the-queue'

async function clientOf(answer: RequestListener): Promise<RestClient> {
  return clientAt(`http://127.0.0.1:${await listening(createServer(answer))}`)
}

function clientAt(api: string): RestClient {
  return new RestClient({
    name: 'Gitea',
    api,
    at: '/repos/acme/shop',
    gitUser: 'queue',
    token: () => token,
    page: {},
    isLast: () => true,
  })
}

test('what a host says of a failure is cut, and no part of the token is in it', async () => {
  const before = 'x'.repeat(450)
  const client = await clientOf((_request, response) => {
    response.writeHead(500).end(`${before}${token}${token}`)
  })
  const failure: unknown = await client.get('/pulls/7').catch((error: unknown) => error)
  const words = String(failure)
  expect(words).toContain(`GET /pulls/7: Gitea answers 500: ${before}[`)
  expect(words).not.toContain('secret-')
})

test.each([
  [502, '<html><title>502 Bad Gateway</title></html>', 'Gitea answers 502: 502 Bad Gateway'],
  [200, '<html>', 'Gitea does not answer: what answers there is no API: check the address'],
])('of a proxy that answers %d the page is not repeated', async (status, page, words) => {
  const client = await clientOf((_request, response) => void response.writeHead(status).end(page))
  await expect(client.get('/pulls/7')).rejects.toThrow(`GET /pulls/7: ${words}`)
})

test('why a host cannot be reached is told', async () => {
  const api = `https://localhost:${await listeningWithTls('valid')}`
  const words = 'Gitea does not answer: its certificate is not from a known authority'
  await expect(clientAt(api).get('/pulls/7')).rejects.toThrow(`GET /pulls/7: ${words}`)
})

const ofMoved = '{"message":"405 Non GET methods are not allowed for moved projects"}'

test.each([301, 302, 307, 308, 405])(
  'a renamed repository (%d) is changed where it is',
  async (status) => {
    const asked: string[] = []
    const client = await clientOf((request, response) => {
      const { method = '', url = '', headers } = request
      // Its owner has another name too, and each is told by itself.
      const [, , owner, name] = url.split('/')
      if (owner === 'acme' || name === 'shop') {
        const location = owner === 'acme' ? url.replace(owner, 'ace') : url.replace('shop', 'store')
        if (status === 405 && method !== 'GET') response.writeHead(status).end(ofMoved)
        else response.writeHead(status === 405 ? 301 : status, { location }).end()
        return
      }
      request.on('data', (body: Buffer) => asked.push(`${method} ${url} ${body.toString()}`))
      request.on('end', () => response.end(JSON.stringify({ by: headers.authorization })))
    })
    expect(await client.change('POST', '/labels', { name: 'a' })).toEqual({ by: `Bearer ${token}` })
    expect(asked.at(-1)).toBe('POST /repos/ace/store/labels {"name":"a"}')
    expect(asked.filter((each) => !each.startsWith('GET'))).toHaveLength(1)
  },
)

test('a change is sent to no other host than that of the repository', async () => {
  const client = await clientOf((_request, response) => {
    response.writeHead(307, { location: 'http://elsewhere.example/repos/acme/shop/labels' }).end()
  })
  await expect(client.change('POST', '/labels', { name: 'a' })).rejects.toThrow(
    'POST /labels: Gitea answers 307: moved to http://elsewhere.example/repos/acme/shop/labels',
  )
})

const until = 'Sun, 29 Nov 2026 20:02:00 GMT'

//
test.each([
  [429, { 'retry-after': '120' }],
  [503, { 'retry-after': until }],
  [403, { 'retry-after': '120' }],
])('a host that answers %d and a time is asked nothing before it', async (status, headers) => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.parse('2026-11-29T20:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const asked: string[] = []
  const client = await clientOf(({ url = '' }, response) => {
    response.sendDate = false
    asked.push(url)
    if (asked.length === 1) response.writeHead(status, headers).end('too many')
    else response.end('[]')
  })
  const failed = (path: string) => client.get(path).catch((error: unknown) => error)
  expect(await failed('/pulls/7')).toMatchObject({ status: 429 })
  // No clock that is set back makes it longer.
  vi.setSystemTime('2026-11-28T20:00:00Z')
  vi.advanceTimersByTime(119_000)
  expect(String(await failed('/pulls/8'))).toContain(
    'GET /pulls/8: not sent: Gitea allows no request until 2026-11-28T20:02:00.000Z',
  )
  vi.advanceTimersByTime(1_000)
  expect(await client.get('/pulls/9')).toEqual([])
  expect(asked).toEqual(['/repos/acme/shop/pulls/7', '/repos/acme/shop/pulls/9'])
})

//
test.each([github, gitea, gitlab])(
  'what a server before has done already is no fault on $host',
  async (kind) => {
    onTestFinished(() => void vi.unstubAllGlobals())
    const fake = new FakeCodeHost(kind, { folder: '', repository: new TestRepository('') })
    vi.stubGlobal('fetch', fake.fetch)
    const options = kind.optionsOf(placeAt(`https://host.example${kind.prefix}`))
    const pace = { isThrottled: false, retryAfterMs: 1 }
    const api = kind.adapter.open(options, pino({ enabled: false }), pace)
    const pull = openedPull(fake.state, { number: 7, head: 'a'.repeat(40) })
    const comment = written(fake.state, 7, '/enqueue', 'ada')
    for (const _ of ['before', 'again']) {
      await api.makeLabel('merge-queue')
      await api.addLabel(7, 'merge-queue')
      await api.react(comment, true)
    }
    expect([fake.state.labels, pull.labels]).toEqual([['merge-queue'], ['merge-queue']])
    expect(comment.reactions).toHaveLength(1)
    for (const _ of ['before', 'again']) await api.removeLabel(7, 'merge-queue')
    expect(pull.labels).toEqual([])
    expect(fake.faults).toEqual([])
  },
)
