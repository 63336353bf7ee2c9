/** A standby that follows the PostgreSQL of the store, and takes over. */

import { describe, expect, onTestFinished, test } from 'vitest'
import { Replica } from '../replica/replica.ts'
import type { LogDatabase, Tail } from '../replica/log-database.ts'
import { connect } from './connect.ts'
import { PostgresLog } from './postgres-log.ts'
import { isPostgresMissing, PrivatePostgres } from './testing/private-postgres.ts'

const queue = 'github.com/acme/shop:main'
const incarnation = '00000000-0000-8000-8000-000000000001'

const hourMs = 60 * 60_000

/** A server on this database, whose clock is behind by so much. */
async function replicaOn(url: string, behindMs = 0): Promise<Replica> {
  const pool = await connect(url)
  onTestFinished(() => pool.end())
  const log = new PostgresLog(pool)
  const late = (tail: Tail): Tail => ({ ...tail, now: tail.now - behindMs })
  const database: LogDatabase = {
    begin: async (after) => {
      const turn = await log.begin(after)
      return { ...turn, tail: late(turn.tail) }
    },
    look: async (after) => late(await log.look(after)),
    savedState: () => log.savedState(),
    saveState: (state) => log.saveState(state),
  }
  return new Replica({ database })
}

const stateOf = async (replica: Replica): Promise<readonly string[] | undefined> => {
  await replica.look()
  return replica.register?.saved().lines
}

describe.skipIf(isPostgresMissing())('with a PostgreSQL (apt-get install postgresql)', () => {
  test('a server refuses a standby, and goes on once it is the primary, whatever its clock says', async () => {
    const primary = await PrivatePostgres.start()
    onTestFinished(() => primary.remove())
    await primary.database('shared')
    const first = await replicaOn(primary.urlOf('shared'))
    await first.enter('write', (manager) =>
      manager.send(queue, { type: 'createQueue', incarnation, set: {} }),
    )
    await first.enter('write', (manager) =>
      manager.send(queue, { type: 'submitPullRequest', number: 1 }),
    )
    const before = await stateOf(first)

    const standby = await primary.standby()
    onTestFinished(() => standby.remove())
    const url = standby.urlOf('shared')
    await expect(connect(url)).rejects.toThrow('this is a replica; name the primary')

    await primary.close('crash')
    await standby.query('select pg_promote()')
    const second = await replicaOn(url, hourMs)
    expect(await stateOf(second)).toEqual(before)
    const { at } = second.register?.saved() ?? { at: 0 }
    const { accepted } = await second.enter('write', (manager) =>
      manager.send(queue, { type: 'submitPullRequest', number: 2 }),
    )
    expect(accepted).toBe(true)
    // The time stands still until the clock has caught up. It does not run backwards.
    expect(second.register?.saved().at).toBe(at)
  })
})
