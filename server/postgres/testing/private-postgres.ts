/** A PostgreSQL of its own for tests and benchmarks: in a temporary folder, on a free port, for nobody else. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

const ofDebian = '/usr/lib/postgresql'

/** The folder of the newest PostgreSQL that Debian has installed; null: there is none. */
function binaries(): string | null {
  if (!existsSync(ofDebian)) return null
  const newest = readdirSync(ofDebian).sort((one, other) => Number(other) - Number(one))
  const folders = newest.map((version) => join(ofDebian, version, 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

/** True if the tests that need PostgreSQL are skipped. Always false in CI, where they fail instead. */
export function isPostgresMissing(): boolean {
  const isThere = binaries() !== null
  if (!isThere)
    process.stderr.write('postgresql is not installed: install it with apt-get to run its tests\n')
  return !isThere && process.env['CI'] !== 'true'
}

/** PostgreSQL refuses to run as root, so root runs it as the user whom the package of Debian makes. */
export const asItsUser =
  process.getuid?.() === 0
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--pdeathsig=KILL']
    : []

/** In `fast` sessions are ended in order, in `crash` everything is dropped at once. */
export type Ending = 'fast' | 'crash'

export type PostgresOptions = {
  /** Others besides this machine that may connect, for example 10.1.0.0/16. Default: nobody. */
  readonly network?: string
  /** Settings as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
}

export class PrivatePostgres {
  readonly port: number
  readonly #folder: string
  readonly #settings: Readonly<Record<string, string>>
  #process: ChildProcess | null = null

  private constructor(folder: string, port: number, settings: Readonly<Record<string, string>>) {
    this.#folder = folder
    this.port = port
    this.#settings = settings
  }

  /** Makes a cluster and starts it. The caller must end it with `remove`. */
  static async start({ network, settings }: PostgresOptions = {}): Promise<PrivatePostgres> {
    const folder = ownFolder()
    const data = join(folder, 'data')
    run('initdb', ['-D', data, '-U', user, '--auth=trust', '--no-sync'])
    if (network !== undefined)
      appendFileSync(join(data, 'pg_hba.conf'), `host all all ${network} trust\n`)
    const started = new PrivatePostgres(folder, await freePort(), {
      listen_addresses: network === undefined ? '127.0.0.1' : '*',
      ...settings,
    })
    await started.open()
    return started
  }

  /** A copy that follows this cluster. The caller must end it with `remove`. */
  async standby(): Promise<PrivatePostgres> {
    const folder = ownFolder()
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', user]
    // Without `fast` the checkpoint takes minutes, to spare the disk.
    const how = ['--write-recovery-conf', '--no-sync', '--checkpoint=fast']
    run('pg_basebackup', ['-D', join(folder, 'data'), ...how, ...from])
    const started = new PrivatePostgres(folder, await freePort(), this.#settings)
    await started.open()
    return started
  }

  /** Makes an empty database, and returns its URL. */
  async database(name: string): Promise<string> {
    await this.query(`create database "${name}"`)
    return this.urlOf(name)
  }

  /** The URL of a database, for those who reach this machine at `address`. */
  urlOf(name: string, address = '127.0.0.1'): string {
    return `postgres://${user}@${address}:${this.port}/${name}`
  }

  /** Asks the cluster itself, as its superuser. */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
    const client = new Client({ connectionString: this.urlOf('postgres') })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(text, [...values])
      return rows
    } finally {
      await client.end()
    }
  }

  /** Settles when it accepts connections. */
  async open(): Promise<void> {
    const settings = Object.entries({
      port: String(this.port),
      unix_socket_directories: this.#folder,
      ...this.#settings,
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const [program = '', ...args] = command('postgres', [
      '-D',
      join(this.#folder, 'data'),
      ...settings,
    ])
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#process = child
    let log = ''
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
      child.stderr.on('data', (chunk: Buffer) => {
        log += chunk.toString()
        if (/system is ready to accept (?:read-only )?connections/u.test(log)) resolve()
      })
    })
  }

  /** Settles when it has ended. Everything acknowledged is there when it opens again. */
  async close(ending: Ending): Promise<void> {
    const child = this.#process
    this.#process = null
    if (child?.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill(ending === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }

  async remove(): Promise<void> {
    await this.close('crash')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const user = 'mergeyard'

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-postgres-'))
  if (asItsUser.length > 0) execFileSync('chown', ['postgres', folder])
  return folder
}

function run(name: string, args: readonly string[]): void {
  const [program = '', ...rest] = command(name, args)
  execFileSync(program, rest, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function command(name: string, args: readonly string[]): readonly string[] {
  const folder = binaries()
  if (folder === null) throw new Error(`there is no PostgreSQL in ${ofDebian}`)
  return [...asItsUser, join(folder, name), ...args]
}

// Returns a port that is free on this machine.

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
