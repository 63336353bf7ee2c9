/** A body is checked before the turn on the shared log, which holds up all servers. */

import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { serverDefaults } from '../server-defaults.ts'
import { startSharedServer } from '../shared-server.ts'
import { Client, main } from '../testing/client.ts'
import { Contract } from '../testing/contract.ts'
import { withPostgres } from './testing/with-postgres.ts'
import { connect } from './connect.ts'

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
