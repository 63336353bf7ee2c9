import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { onOwnConnection } from './connect.ts'
import { freePort } from './testing/private-postgres.ts'
import { makeLockedRole, withPostgres } from './testing/with-postgres.ts'

withPostgres((postgres) => {
  test('given a role that needs a password and none at hand, fails and leaves no connection behind', async () => {
    await makeLockedRole(postgres.cluster)
    const port = await freePort()
    const closed: Promise<unknown>[] = []
    const between = createServer((socket) => {
      const database = connect(postgres.cluster.port, '127.0.0.1')
      socket.pipe(database)
      // PostgreSQL gives up after a minute, and would close it then.
      database.pipe(socket, { end: false })
      // Either side may reset the connection, which is no failure of the test.
      for (const side of [socket, database]) side.on('error', () => undefined)
      closed.push(new Promise((resolve) => socket.once('close', resolve)))
    })
    between.listen(port, '127.0.0.1')
    await once(between, 'listening')
    onTestFinished(() => void between.close())
    const connectionString = `postgres://locked@127.0.0.1:${port}/postgres`
    const failed = onOwnConnection({ connectionString }, () => Promise.resolve())
    await expect(failed).rejects.toThrow('client password must be a string')
    await Promise.all(closed)
    expect(closed).toHaveLength(1)
  })
})
