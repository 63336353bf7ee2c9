import type { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { makeEndpoint } from '../webhooks/message.ts'
import { chains, describeOutboxDatabase } from '../webhooks/testing/term-contract.ts'
import { connect } from './connect.ts'
import { PostgresLog } from './postgres-log.ts'
import { PostgresOutbox, sharedEndpoints, webhooksTerm } from './postgres-outbox.ts'
import { changeSetting } from './shared-setting.ts'
import { withPostgres } from './testing/with-postgres.ts'
import { sharedTerms } from './shared-state.ts'

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
      ...{ place, message: null },
      line: { line: 'endpoint', endpoint: String(place) } as const,
    }))
    const { revision, position } = await outbox.read()
    expect(await outbox.write('a', { revision, position, lines, settled: [] })).toBe(true)
    expect((await outbox.read()).lines).toEqual(lines)
  })
})
