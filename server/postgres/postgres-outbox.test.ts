import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeEndpoint } from '../webhooks/endpoints.ts'
import { chains, describeOutboxDatabase } from '../webhooks/testing/term-contract.ts'
import { connect } from './connect.ts'
import { PostgresLog } from './postgres-log.ts'
import { PostgresOutbox } from './postgres-outbox.ts'
import { isPostgresMissing, PrivatePostgres } from './private-postgres.ts'
import { changeSharedEndpoints } from './shared-endpoints.ts'

describe.skipIf(isPostgresMissing())('with a PostgreSQL (apt-get install postgresql)', () => {
  let postgres: PrivatePostgres
  let databases = 0
  beforeAll(async () => {
    postgres = await PrivatePostgres.start()
  })
  afterAll(() => postgres.remove())

  async function poolTo(url: string) {
    const pool = await connect(url)
    onTestFinished(() => pool.end())
    return pool
  }

  async function emptyDatabase(): Promise<string> {
    databases++
    return postgres.database(`outbox${databases}`)
  }

  describeOutboxDatabase('PostgreSQL', async () => {
    const url = await emptyDatabase()
    const pool = await poolTo(url)
    const turn = await new PostgresLog(pool).begin(0)
    const lines = chains.map((chain, place) => ({ sequence: place + 1, text: '{}', chain }))
    await turn.commit(lines, { sequence: 3, at: 1, chain: chains[2], engine: 1, wakeAt: null })
    return { one: new PostgresOutbox(pool), other: new PostgresOutbox(await poolTo(url)) }
  })

  test('endpoints that a command changes are those that every server reads', async () => {
    const url = await emptyDatabase()
    const [pool, other] = [await poolTo(url), new PostgresOutbox(await poolTo(url))]
    const [a, b] = ['http://127.0.0.1:1/a', 'http://127.0.0.1:1/b'].map((target) =>
      makeEndpoint(target, null, new Date()),
    )
    if (!a || !b) throw new Error('no endpoints')
    expect(await other.endpoints()).toEqual([])
    await Promise.all([a, b].map((each) => changeSharedEndpoints(pool, (all) => [...all, each])))
    expect(new Set(await other.endpoints())).toEqual(new Set([a, b]))
    await changeSharedEndpoints(pool, (all) => all.filter(({ id }) => id !== a.id))
    expect(await other.endpoints()).toEqual([b])
  })

  test('given a clock that was ahead before a failover, the term is free all the same', async () => {
    const pool = await poolTo(await emptyDatabase())
    const outbox = new PostgresOutbox(pool)
    await outbox.take('a')
    await pool.query('update mergeyard.outbox set until = until + 3600000')
    expect(await outbox.take('b')).toMatchObject({ sender: 'b', number: 2 })
  })

  test('given more lines than a page, all are read in order', async () => {
    const pool = await poolTo(await emptyDatabase())
    const outbox = new PostgresOutbox(pool)
    const term = await outbox.take('a')
    if (!term) throw new Error('no term')
    const lines = Array.from({ length: 12_345 }, (_, place) => ({
      ...{ place, message: null },
      line: { line: 'endpoint', endpoint: String(place) } as const,
    }))
    const { revision, position } = term
    expect(await outbox.write(term, { revision, position, lines, settled: [] })).toBe(true)
    expect((await outbox.read()).lines).toEqual(lines)
  })
})
