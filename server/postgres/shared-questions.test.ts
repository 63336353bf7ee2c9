import { join } from 'node:path'
import { expect, onTestFinished, test, afterAll, beforeAll, beforeEach } from 'vitest'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { matrix } from '../../engine/testing/matrix.ts'
import { ManualTimers } from '../testing/manual-timers.ts'
import { connect } from './connect.ts'
import { Questions } from './shared-questions.ts'
import { withPostgres } from './testing/with-postgres.ts'
import { describeTerms } from '../timing/testing/terms-contract.ts'
import type { NotesKind } from '../files/notes.ts'
import { sharedNotes, sharedSessions, sharedTerms } from './shared-state.ts'
import type * as wire from '../contract/wire.ts'
import { serverDefaults } from '../server-defaults.ts'
import { PageClient, builtPages } from '../page/testing/page-client.ts'
import { startSharedServer, type SharedServer } from '../shared-server.ts'
import { Client, main, Contract } from '../testing/client.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { deferred } from '../files/turns.ts'

withPostgres((postgres) => {
  /** Servers whose timers ring when a test says so. */
  async function servers() {
    const pool = await connect(await postgres.database())
    onTestFinished(() => pool.end())
    const serverAt = (place: number) => {
      const timers = new ManualTimers()
      const state = { isWorking: false, answer: (question: string) => Promise.resolve(question) }
      const questions = new Questions({
        pool,
        timers,
        server: `server ${place}`,
        isWorking: () => state.isWorking,
        answer: (question) => state.answer(`server ${place}: ${question}`),
      })
      questions.start()
      onTestFinished(() => questions.stop())
      return { questions, timers, state }
    }
    const [one, other] = [serverAt(0), serverAt(1)]
    const rows = async (): Promise<number> =>
      (await pool.query('select from mergeyard.questions')).rowCount ?? 0
    /** Lets time pass on all of them until something is so. */
    const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
      while (!(await isSo())) {
        // Who is still reading has no timer, and no time passes for the other meanwhile.
        const isReading = [one, other].some(({ timers }) => timers.waits.length === 0)
        if (!isReading) for (const { timers } of [one, other]) timers.advance(200)
        await pool.query('select')
      }
    }
    const told = async (answer: Promise<string | null>): Promise<string | null> => {
      let isTold = false
      const settled = answer.finally(() => {
        isTold = true
      })
      await until(() => isTold)
      return settled
    }
    return { one, other, rows, until, told, pool }
  }

  test('the server that works answers, and nothing stays behind', async () => {
    const { one, other, rows, told } = await servers()
    one.state.isWorking = true
    const asked = ['a', 'b', 'c'].map((question) => other.questions.ask(question))
    const answers = await Promise.all(asked.map(told))
    expect(answers).toEqual(['server 0: a', 'server 0: b', 'server 0: c'])
    expect(await rows()).toBe(0)
  })

  test('given a server that dies with a question, the next one answers', async () => {
    const { one, other, until, told } = await servers()
    let hasHeard = false
    one.state.isWorking = true
    one.state.answer = () => {
      hasHeard = true
      return new Promise(() => undefined)
    }
    const asked = other.questions.ask('who?')
    await until(() => hasHeard)
    one.state.isWorking = false
    other.state.isWorking = true
    expect(await told(asked)).toBe('server 1: who?')
  })

  test('an answer after another server took the question is dropped', matrix, async () => {
    const { one, other, until, told } = await servers()
    let late: (answer: string) => void = () => undefined
    let next: (answer: string) => void = () => undefined
    one.state.isWorking = true
    one.state.answer = () => new Promise((resolve) => (late = resolve))
    const asked = other.questions.ask('who?')
    const noop = late
    await until(() => late !== noop)
    one.state.isWorking = false
    other.state.isWorking = true
    other.state.answer = () => new Promise((resolve) => (next = resolve))
    const nobody = next
    await until(() => next !== nobody)
    late('too late')
    next('in time')
    expect(await told(asked)).toBe('in time')
  })

  test('given a server that cannot answer yet, it is asked again', matrix, async () => {
    const { one, other, told } = await servers()
    let tries = 0
    one.state.isWorking = true
    one.state.answer = (question) =>
      ++tries < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve(question)
    expect(await told(other.questions.ask('who?'))).toBe('server 0: who?')
    expect(tries).toBe(3)
  })

  test('when nobody works, a question has no answer after ten seconds', matrix, async () => {
    const { other, rows, told } = await servers()
    const began = other.timers.now()
    expect(await told(other.questions.ask('who?'))).toBeNull()
    expect(other.timers.now() - began).toBeGreaterThanOrEqual(10_000)
    expect(await rows()).toBe(0)
  })

  test('given a server that stops while somebody waits, there is no answer', matrix, async () => {
    const { other } = await servers()
    const asked = other.questions.ask('who?')
    await other.questions.stop()
    expect(await asked).toBeNull()
  })

  test('what a server has asked that is gone is forgotten after a minute', matrix, async () => {
    const { one, rows, until, told, pool } = await servers()
    await pool.query(
      `insert into mergeyard.questions (question, asked_at)
       values ('old', now() - interval '61 seconds')`,
    )
    one.state.answer = (question) =>
      question.endsWith('old') ? Promise.reject(new Error('too old')) : Promise.resolve('answered')
    one.state.isWorking = true
    await until(async () => (await rows()) === 0)
    expect(await told(one.questions.ask('new'))).toBe('answered')
  })
})

withPostgres((postgres) => {
  let pool: Pool
  beforeAll(async () => {
    pool = await connect(await postgres.database())
  })
  afterAll(() => pool.end())
  beforeEach(() => pool.query('delete from mergeyard.terms'))

  /** Moves the end of all terms; a term lasts five seconds. */
  const moveEnds = (byMs: number) =>
    pool.query('update mergeyard.terms set until = until + $1', [byMs])

  describeTerms('PostgreSQL', () =>
    Promise.resolve({ one: sharedTerms(pool, 'hosts'), other: sharedTerms(pool, 'hosts') }),
  )

  test('the work of another name has terms of its own', async () => {
    expect(await sharedTerms(pool, 'hosts').take('one')).toBe(true)
    expect(await sharedTerms(pool, 'others').take('other')).toBe(true)
  })

  test('a term whose end is too far away, because a clock was ahead, can be taken', async () => {
    const terms = sharedTerms(pool, 'hosts')
    await terms.take('one')
    await moveEnds(3_600_000)
    expect(await terms.take('other')).toBe(true)
  })

  const queueAt = (start: string) => ({ name: 'local/acme/shop:main', ids: { start } })

  test('notes are for the next server, and are written only in the term', async () => {
    const terms = sharedTerms(pool, 'hosts')
    const notesOf = (server: string) =>
      sharedNotes(pool, { queue: queueAt('1'), kind: 'branches' }, server)
    await terms.take('one')
    const notes = await notesOf('one')
    expect(notes.read()).toBeNull()
    await notes.write('first')
    await notes.write('second')
    await moveEnds(-5_000)
    await notes.write('too late')
    await terms.take('other')
    const next = await notesOf('other')
    expect(next.read()).toBe('second')
    await next.write('third')
    await notes.write('too late')
    expect((await notesOf('other')).read()).toBe('third')
  })

  test('given notes of an older version, who works there reads them, as those of its kind', async () => {
    await pool.query("insert into mergeyard.settings values ('notes local/acme/shop:main', 'old')")
    const notesOf = (kind: NotesKind) => sharedNotes(pool, { queue: queueAt('2'), kind }, 'one')
    expect((await notesOf('branches')).read()).toBeNull()
    await sharedTerms(pool, 'hosts').take('one')
    expect((await notesOf('branches')).read()).toBe('old')
    expect((await notesOf('github')).read()).toBeNull()
  })
})

// The live page of servers that share a PostgreSQL: a visitor may reach any of them with each request.

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

  test('who signs in while the other server reads is known there to who asks after that', async () => {
    const store = await postgres.database()
    const [pool, elsewhere] = [await connect(store), await connect(store)]
    const [here, there] = [sharedSessions(pool), sharedSessions(elsewhere)]
    onTestFinished(async () => {
      await Promise.all([here.close(), there.close(), pool.end(), elsewhere.end()])
    })
    // The answer to a first question is long on its way.
    const [asked, answered] = [deferred<void>(), deferred<void>()]
    const ask = pool.query.bind(pool)
    Reflect.set(pool, 'query', async (...question: unknown[]) => {
      const answer: unknown = await Reflect.apply(ask, null, question)
      asked.resolve()
      await answered.promise
      return answer
    })
    const early = here.refresh()
    await asked.promise
    const session = { id: 'a cookie', token: 'a token', createdAt: 1, seenAt: 1 }
    await there.change((all) => [...all, session])
    const late = here.refresh()
    answered.resolve()
    await Promise.all([early, late])
    expect(here.known()).toEqual([session])
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

    const cancel = { operation: 'cancelPullRequest', body: { pr: { number: 7 } } }
    const acted = await visitor.post(`/page/act?queue=${id}`, cancel)
    expect(acted.status).toBe(200)
    const body = { ...main, pr: { number: 7 } }
    const asked = await apiOf(other).ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', body)
    expect(asked.state).toBe('CANCELLED')

    while (shown.rows[0]?.state !== 'CANCELLED') shown = await stream.frame()
    await one.stop()
    let last = await stream.next()
    while (last?.startsWith('{') === true) last = await stream.next()
    expect(last).toBe('bye')
    const again = await moved(visitor, other).stream(id)
    expect(await again.frame()).toMatchObject({ kind: 'whole', rows: [{ state: 'CANCELLED' }] })
  })
})
