/** The live page of servers that share a PostgreSQL: a visitor may reach any of them with each request. */

import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { matrix } from '../../engine/testing/matrix.ts'
import type * as wire from '../contract/wire.ts'
import { serverDefaults } from '../server-defaults.ts'
import { PageClient } from '../page/testing/page-client.ts'
import { builtPages } from '../page/testing/page-server.ts'
import { startSharedServer, type SharedServer } from '../shared-server.ts'
import { Client, main, Contract } from '../testing/client.ts'
import { temporaryFolder } from '../testing/test-server.ts'
import { withPostgres } from './testing/with-postgres.ts'

const token = 'admin-token-of-a-test'

withPostgres((postgres) => {
  async function twoServers(): Promise<readonly [SharedServer, SharedServer]> {
    const store = await postgres.database()
    const pages = builtPages(join(temporaryFolder(), 'pages'))
    const start = async (): Promise<SharedServer> => {
      const server = await startSharedServer(
        { ...serverDefaults, port: 0, token, store, page: { pages } },
        { logger: pino({ enabled: false }), onFirstToken: () => undefined },
      )
      onTestFinished(() => server.stop())
      return server
    }
    return [await start(), await start()]
  }

  const apiOf = ({ url }: SharedServer): Client => new Client(url, token, new Contract())

  /** The same visitor at another server. */
  function moved({ cookie }: PageClient, { url }: SharedServer): PageClient {
    const visitor = new PageClient(url)
    visitor.cookie = cookie
    return visitor
  }

  const isSignedIn = async (visitor: PageClient): Promise<unknown> =>
    Reflect.get(Object((await visitor.get('/page/me')).body), 'signedIn')

  test('who signs in on one server is known to the other at once', matrix, async () => {
    const [one, other] = await twoServers()
    const here = new PageClient(one.url)
    expect(await here.signIn(token)).toBe(204)
    const there = moved(here, other)
    expect(await isSignedIn(there)).toBe(true)
    const stranger = new PageClient(other.url)
    stranger.cookie = 'mergeyard=invented'
    expect(await isSignedIn(stranger)).toBe(false)

    await here.post('/page/sign-out', {})
    here.cookie = there.cookie
    expect(await isSignedIn(here)).toBe(false)
    await expect.poll(() => isSignedIn(there)).toBe(false)
  })

  test('who opens the page first sees who had paused the queue', matrix, async () => {
    const [one, other] = await twoServers()
    await apiOf(other).ok('createQueue', main)
    await apiOf(other).ok('updateQueue', { ...main, state: 'PAUSED' })
    const visitor = new PageClient(one.url)
    await visitor.signIn(token)
    const { body } = await visitor.get('/page/queues')
    expect(body).toMatchObject({
      queues: [{ state: 'PAUSED', stateBy: '--token', stateSince: expect.any(String) }],
    })
  })

  test('a page on one server shows what is done on the other, and acts for both', async () => {
    const [one, other] = await twoServers()
    await apiOf(other).ok('createQueue', { ...main, concurrency: 2 })
    const visitor = new PageClient(one.url)
    await visitor.signIn(token)
    const queues = async (): Promise<{ readonly id: string }[]> => {
      const { body } = await visitor.get('/page/queues')
      const found: { readonly id: string }[] = Reflect.get(Object(body), 'queues')
      return found
    }
    await expect.poll(async () => (await queues()).length).toBe(1)
    const [{ id } = { id: '' }] = await queues()
    const stream = await visitor.stream(id)
    expect(await stream.frame()).toMatchObject({ kind: 'whole', rows: [] })

    await apiOf(other).ok('submitPullRequest', { ...main, pr: { number: 7 } })
    // Estimates can come as frames of their own.
    let shown = await stream.frame()
    while (shown.rows.length === 0) shown = await stream.frame()
    expect(shown).toMatchObject({ kind: 'change', rows: [{ number: 7, state: 'TESTING' }] })

    const acted = await visitor.post('/page/act', { queue: id, action: 'cancel', number: 7 })
    expect(acted.status).toBe(200)
    const body = { ...main, pr: { number: 7 } }
    const asked = await apiOf(other).ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', body)
    expect(asked.state).toBe('CANCELLED')

    let { ended } = await stream.frame()
    while (ended.length === 0) ({ ended } = await stream.frame())
    await one.stop()
    let last = await stream.next()
    while (last?.name === 'frame') last = await stream.next()
    expect(last?.name).toBe('bye')
    const again = await moved(visitor, other).stream(id)
    expect(await again.frame()).toMatchObject({ kind: 'whole', ended: [{ number: 7 }] })
  })
})
