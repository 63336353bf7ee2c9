import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { pino } from 'pino'
import type { Pool } from 'pg'
import { withPostgres } from './testing/with-postgres.ts'
import { describeLogDatabase } from '../replica/testing/log-contract.ts'
import { Replica } from '../replica/replica.ts'
import { connect } from './connect.ts'
import { PostgresLog } from './postgres-log.ts'
import { canMountAsRoot, withMountsAsRoot } from '../testing/disks.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { isPostgresMissing } from './testing/private-postgres.ts'
import { serverDefaults } from '../server-defaults.ts'
import { startSharedServer } from '../shared-server.ts'
import { Client, main, Contract } from '../testing/client.ts'
import { makeEndpoint } from '../webhooks/message.ts'
import { chains, describeOutboxDatabase } from '../webhooks/testing/outbox-contract.ts'
import { PostgresOutbox, sharedEndpoints, webhooksTerm } from './postgres-outbox.ts'
import { changeSetting } from './shared-setting.ts'
import { sharedTerms } from './shared-state.ts'

withPostgres((postgres) => {
  async function logIn(url: string): Promise<PostgresLog> {
    const pool = await connect(url)
    onTestFinished(() => pool.end())
    return new PostgresLog(pool)
  }

  describeLogDatabase('PostgreSQL', async () => {
    const url = await postgres.database()
    return { one: await logIn(url), other: await logIn(url) }
  })

  const queue = 'github.com/acme/shop:main'
  const incarnation = '00000000-0000-8000-8000-000000000001'

  test('a turn is two messages, however many wait, and a read is one', async () => {
    const log = await logIn(await postgres.database())
    const replica = new Replica({ database: log })
    await replica.enter('write', (manager) =>
      manager.send(queue, { type: 'createQueue', incarnation, set: {} }),
    )
    const before = log.messages
    const submit = (number: number) =>
      replica.enter('write', (manager) =>
        manager.send(queue, { type: 'submitPullRequest', number }),
      )
    await Promise.all([1, 2, 3, 4, 5].map(submit))
    expect(log.messages - before).toBe(2)
    const sequence = await replica.enter('read', ({ registry }) => registry.sequence)
    expect(log.messages - before).toBe(3)
    expect(sequence).toBe(6)
  })

  test('a long tail is read in pages, each by a message of its own', async () => {
    const url = await postgres.database()
    const pool = await connect(url)
    onTestFinished(() => pool.end())
    const paged = new PostgresLog(pool, 2)
    const replica = new Replica({ database: paged })
    await replica.enter('write', (manager) =>
      manager.send(queue, { type: 'createQueue', incarnation, set: {} }),
    )
    for (const number of [1, 2, 3])
      await replica.enter('write', (manager) =>
        manager.send(queue, { type: 'submitPullRequest', number }),
      )
    const whole = await new PostgresLog(pool).readTail(0)
    const before = paged.messages
    expect(await paged.readTail(0)).toEqual({ ...whole, now: expect.any(Number) })
    expect(paged.messages - before).toBe(3)
    const { lines } = await paged.readTail(1)
    expect(lines.map(({ sequence }) => sequence)).toEqual([2, 3, 4])
  })

  test('given a state with more lines than a page, it is saved and loaded in pages', async () => {
    const pool = await connect(await postgres.database())
    onTestFinished(() => pool.end())
    const paged = new PostgresLog(pool, 2)
    const turn = await paged.begin(0)
    const entry = { sequence: 1, text: '{}', chain: 'c' }
    await turn.commit([entry], { sequence: 1, at: 1, chain: 'c', engine: 1, wakeAt: null })
    const lines = [1, 2, 3, 4, 5].map((place) => JSON.stringify({ place, text: `\n "ü\\` }))
    const state = { sequence: 1, at: 1, chain: 'c', engine: 1, lines }
    const before = paged.messages
    await paged.saveState(state)
    const saved = paged.messages
    expect(await paged.savedState()).toEqual(state)
    // Three pages each, of which the first is loaded with the state, and the begin and the end.
    expect([saved - before, paged.messages - saved]).toEqual([5, 4])
    await paged.saveState({ ...state, lines: ['{"of":"another server"}'] })
    expect(await new PostgresLog(pool).savedState()).toEqual(state)
  })

  test('given two servers, each decides on what the other has committed', async () => {
    const url = await postgres.database()
    const start = async () => new Replica({ database: await logIn(url), saveEvery: 2 })
    const [one, other, late] = [await start(), await start(), await start()]
    await one.enter('write', (manager) =>
      manager.send(queue, { type: 'createQueue', incarnation, set: {} }),
    )
    const submit = (replica: Replica, number: number) =>
      replica.enter('write', (manager) =>
        manager.send(queue, { type: 'submitPullRequest', number }),
      )
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((number) => submit(number % 2 ? one : other, number)),
    )
    expect(outcomes.map((outcome) => outcome.accepted)).toEqual([true, true, true, true])
    await Promise.all([one.poll(), other.poll(), late.poll()])
    const lines = one.register?.saved().lines
    expect(other.register?.saved().lines).toEqual(lines)
    expect(late.register?.saved().lines).toEqual(lines)
  })

  test('given synchronous_commit is off, refuses to start', async () => {
    const url = await postgres.database()
    await postgres.cluster.query(
      `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`,
    )
    await expect(connect(url)).rejects.toThrow('synchronous_commit is off')
  })

  test('given three servers that start at once on an empty database, the tables are made once', async () => {
    const url = await postgres.database()
    const pools = await Promise.all([connect(url), connect(url), connect(url)])
    const { rows } = await pools[0].query('select count(*)::int as heads from mergeyard.head')
    await Promise.all(pools.map((pool) => pool.end()))
    expect(rows).toEqual([{ heads: 1 }])
  })
})

const program = fileURLToPath(new URL('./testing/full-disk-program.js', import.meta.url))

test.runIf(canMountAsRoot() && !isPostgresMissing())(
  'while the disk of the database is full, nothing is lost',
  async () => {
    expect(await withMountsAsRoot(program, temporaryFolder())).toEqual({
      wasFilled: true,
      refusal: 503,
      afterwards: 200,
      lost: [],
    })
  },
)

// A body is checked before the turn on the shared log, which holds up all servers.

const token = 'admin-token-of-a-test'

withPostgres((postgres) => {
  test('given a turn of another server is under way, a body with a fault is refused at once', async () => {
    const store = await postgres.database()
    const server = await startSharedServer(
      { ...serverDefaults, port: 0, token, store },
      { logger: pino({ enabled: false }), onFirstToken: () => undefined },
    )
    onTestFinished(server.stop)
    const client = new Client(server.url, token, new Contract())
    const other = await connect(store)
    onTestFinished(() => other.end())

    const turn = await other.connect()
    await turn.query('begin; select from mergeyard.head for update')
    const refused = await client.call('createQueue', { ...main, concurrency: 0 })
    // What fits waits for the turn, and says that nothing is known if that takes too long.
    const held = await client.call('createQueue', { ...main, concurrency: 1 })
    await turn.query('rollback')
    turn.release()

    expect(refused.status).toBe(400)
    expect(held.status).toBe(503)
    expect((await client.call('createQueue', { ...main, concurrency: 1 })).status).toBe(200)
  })
})

withPostgres((postgres) => {
  async function poolTo(url: string) {
    const pool = await connect(url)
    onTestFinished(() => pool.end())
    return pool
  }

  /** A log with three entries. */
  async function shortLog(pool: Pool): Promise<PostgresLog> {
    const log = new PostgresLog(pool)
    const turn = await log.begin(0)
    const lines = chains.map((chain, place) => ({ sequence: place + 1, text: '{}', chain }))
    await turn.commit(lines, { sequence: 3, at: 1, chain: chains[2], engine: 1, wakeAt: null })
    return log
  }

  describeOutboxDatabase('PostgreSQL', async () => {
    const url = await postgres.database()
    const pool = await poolTo(url)
    await shortLog(pool)
    const terms = sharedTerms(pool, webhooksTerm)
    return { one: new PostgresOutbox(pool), other: new PostgresOutbox(await poolTo(url)), terms }
  })

  test('given newer states are saved, the one with which a sender begins is kept', async () => {
    const pool = await poolTo(await postgres.database())
    const [log, outbox] = [new PostgresLog(pool), new PostgresOutbox(pool)]
    const sequences = [1, 2, 3, 4, 5]
    const turn = await log.begin(0)
    const lines = sequences.map((sequence) => ({ sequence, text: '{}', chain: `c${sequence}` }))
    await turn.commit(lines, { sequence: 5, at: 1, chain: 'c5', engine: 1, wakeAt: null })
    const save = (sequence: number): Promise<void> =>
      log.saveState({ sequence, at: 1, chain: `c${sequence}`, engine: 1, lines: ['{}'] })
    await sharedTerms(pool, webhooksTerm).take('a')
    const reach = (sequence: number, revision: number): Promise<boolean> => {
      const position = { sequence, chain: `c${sequence}` }
      return outbox.write('a', { revision, position, lines: [], settled: [] })
    }
    expect(await reach(2, 0)).toBe(true)
    for (const sequence of sequences) await save(sequence)
    expect(await log.savedState(3)).toMatchObject({ sequence: 2 })
    // It goes once the sender is past the next ones.
    expect(await reach(5, 1)).toBe(true)
    await save(5)
    expect(await log.savedState(3)).toMatchObject({ sequence: 1 })
  })

  test('endpoints that a command changes are those that every server reads', async () => {
    const url = await postgres.database()
    const [pool, other] = [await poolTo(url), new PostgresOutbox(await poolTo(url))]
    const [a, b] = ['http://127.0.0.1:1/a', 'http://127.0.0.1:1/b'].map((target) =>
      makeEndpoint(target, null, new Date()),
    )
    if (!a || !b) throw new Error('no endpoints')
    expect(await other.endpoints()).toEqual([])
    await Promise.all(
      [a, b].map((each) => changeSetting(pool, sharedEndpoints, (all) => [...all, each])),
    )
    expect(new Set(await other.endpoints())).toEqual(new Set([a, b]))
    await changeSetting(pool, sharedEndpoints, (all) => all.filter(({ id }) => id !== a.id))
    expect(await other.endpoints()).toEqual([b])
  })

  test('given more lines than a page, all are read in order', async () => {
    const pool = await poolTo(await postgres.database())
    const outbox = new PostgresOutbox(pool)
    await sharedTerms(pool, webhooksTerm).take('a')
    const lines = Array.from({ length: 12_345 }, (_, place) => ({
      place,
      message: null,
      line: { line: 'endpoint', endpoint: String(place) } as const,
    }))
    const { revision, position } = await outbox.read()
    expect(await outbox.write('a', { revision, position, lines, settled: [] })).toBe(true)
    expect((await outbox.read()).lines).toEqual(lines)
  })
})
