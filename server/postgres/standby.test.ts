/** A standby that follows the PostgreSQL of the store, and takes over. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, afterAll, beforeAll } from 'vitest'
import { Pool } from 'pg'
import { pino } from 'pino'
import { Replica } from '../replica/replica.ts'
import type { LogDatabase, Tail } from '../replica/log-database.ts'
import { connect } from './connect.ts'
import { PostgresLog } from './postgres-log.ts'
import {
  isPostgresMissing,
  PrivatePostgres,
  asItsUser,
  freePort,
} from './testing/private-postgres.ts'
import { serverDefaults } from '../server-defaults.ts'
import { describeLogDatabase } from '../replica/testing/log-contract.ts'
import { startSharedServer } from '../shared-server.ts'
import { Client, main, Contract } from '../testing/client.ts'
import type * as wire from '../contract/wire.ts'

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
    readTail: async (after) => late(await log.readTail(after)),
    savedState: () => log.savedState(),
    saveState: (state) => log.saveState(state),
  }
  return new Replica({ database })
}

const stateOf = async (replica: Replica): Promise<readonly string[] | undefined> => {
  await replica.poll()
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
    // One that has become a replica since the start of the server may lack what was acknowledged.
    const demoted = new Pool({ connectionString: url })
    await expect(new PostgresLog(demoted).readTail(0)).rejects.toThrow('is a replica now')
    await demoted.end()

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

// The shared log behind a pooler in transaction mode: no turn may depend on a session.

// PgBouncer before a private PostgreSQL, which hands its sessions out by transaction.

const program = '/usr/sbin/pgbouncer'

/** True if the tests that need PgBouncer are skipped. Always false in CI, where they fail instead. */
function isPoolerMissing(): boolean {
  const isThere = existsSync(program)
  if (!isThere)
    process.stderr.write('pgbouncer is not installed: install it with apt-get to run its tests\n')
  return !isThere && process.env['CI'] !== 'true'
}

type Pooler = {
  /** The URL of a database behind the pooler. */
  readonly urlOf: (database: string) => string
  readonly remove: () => Promise<void>
}

/** Starts it; settles when it listens. So few sessions that servers must share them. */
async function startPooler(postgres: PrivatePostgres, sessions: number): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-pooler-'))
  const port = await freePort()
  const users = join(folder, 'users.txt')
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(users, '"mergeyard" ""\n')
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${postgres.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${sessions}`,
      '',
    ].join('\n'),
  )
  if (asItsUser.length > 0) execFileSync('chown', ['-R', 'postgres', folder])
  const [first, ...rest] = [...asItsUser, program, settings] as const
  const child = spawn(first, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`PgBouncer did not start: ${log}`)))
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      if (log.includes('process up')) resolve()
    })
  })
  return {
    urlOf: (database) => `postgres://mergeyard@127.0.0.1:${port}/${database}`,
    remove: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isMissing = isPostgresMissing() || isPoolerMissing()

describe.skipIf(isMissing)('behind PgBouncer (apt-get install postgresql pgbouncer)', () => {
  let postgres: PrivatePostgres
  let pooler: Pooler
  let databases = 0
  beforeAll(async () => {
    postgres = await PrivatePostgres.start()
    pooler = await startPooler(postgres, 3)
  })
  afterAll(async () => {
    await pooler.remove()
    await postgres.remove()
  })

  async function emptyDatabase(): Promise<string> {
    const name = `pooled${++databases}`
    await postgres.database(name)
    return pooler.urlOf(name)
  }

  async function logIn(url: string): Promise<PostgresLog> {
    const pool = await connect(url)
    onTestFinished(() => pool.end())
    return new PostgresLog(pool)
  }

  describeLogDatabase('PostgreSQL behind a pooler', async () => {
    const url = await emptyDatabase()
    return { one: await logIn(url), other: await logIn(url) }
  })

  test('given three servers that share three sessions, all of them answer for a queue', async () => {
    const store = await emptyDatabase()
    const [token, concurrency] = ['admin', 9]
    const start = async (): Promise<Client> => {
      const { url, stop } = await startSharedServer(
        { ...serverDefaults, port: 0, token, store },
        { logger: pino({ enabled: false }), onFirstToken: () => undefined },
      )
      onTestFinished(stop)
      return new Client(url, token, new Contract())
    }
    const clients = [await start(), await start(), await start()]
    const ask = async <Answer>(
      number: number,
      operation: string,
      body: object,
    ): Promise<Answer> => {
      const client = clients[number % 3]
      if (!client) throw new Error('no server')
      const { status, text } = await client.call(operation, body)
      // On a busy machine a turn can wait for a session for too long, and the answer says to ask again.
      if (status === 503) return ask(number, operation, body)
      expect([status, text]).toEqual([200, text])
      const answered: Answer = JSON.parse(text)
      return answered
    }
    await ask(0, 'createQueue', { ...main, concurrency })
    const numbers = Array.from({ length: 30 }, (_, place) => place + 1)
    const pr = (number: number): object => ({ ...main, pr: { number } })
    await Promise.all(numbers.map((number) => ask(number, 'submitPullRequest', pr(number))))
    const shown = await Promise.all(
      numbers.map((number) =>
        ask<wire.SubmittedPullRequest>(number + 1, 'getSubmittedPullRequest', pr(number)),
      ),
    )
    const states = shown.map(({ state }) => state)
    // As many runs are in progress as the queue may have, whichever server decided each of them.
    expect(states.filter((state) => state === 'TESTING')).toHaveLength(concurrency)
    expect(states.filter((state) => state === 'PENDING')).toHaveLength(30 - concurrency)
  })
})
