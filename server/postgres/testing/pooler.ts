/** PgBouncer before a private PostgreSQL, which hands its sessions out by transaction. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PrivatePostgres, asItsUser, freePort } from '../private-postgres.ts'

const program = '/usr/sbin/pgbouncer'

/** True if the tests that need PgBouncer are skipped. Always false in CI, where they fail instead. */
export function isPoolerMissing(): boolean {
  const isThere = existsSync(program)
  if (!isThere)
    process.stderr.write('pgbouncer is not installed: install it with apt-get to run its tests\n')
  return !isThere && process.env['CI'] !== 'true'
}

export type Pooler = {
  /** The URL of a database behind the pooler. */
  readonly urlOf: (database: string) => string
  readonly remove: () => Promise<void>
}

/** Starts it; settles when it listens. So few sessions that servers must share them. */
export async function startPooler(postgres: PrivatePostgres, sessions: number): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-pooler-'))
  if (asItsUser.length > 0) execFileSync('chown', ['postgres', folder])
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
