/** What happens to servers, their sessions and their database while clients ask them. */

import { execFileSync, spawnSync } from 'node:child_process'
import { setTimeout as after } from 'node:timers/promises'
import type { Client } from '../../../../../server/testing/client.ts'
import type { PrivatePostgres } from '../../../../../server/postgres/testing/private-postgres.ts'
import { clientOf, startWith, type ChildServer } from '../../../testing/program.ts'

// A machine of its own for a server: a network namespace of Linux, joined to this one by a link that can
// be cut. Only root can make one.
// A cut is a link that is down: whatever is sent is lost without a word, as with a cable that is pulled.

type Machine = {
  readonly name: string
  readonly address: string
  /** The address of the test as the machine sees it. */
  readonly outside: string
}

/** The network of all machines; a database for them must accept connections from it. */
export const network = '10.0.0.0/8'

/** Two runs of the test at once have different addresses and names. */
const ours = process.pid

/** Whether this process may make machines. */
export function canMakeMachines(): boolean {
  return (
    spawnSync('unshare', ['--net', 'true']).status === 0 && spawnSync('ip', ['-V']).status === 0
  )
}

export function makeMachine(place: number): Machine {
  const name = nameOf(place)
  const subnet = `10.${1 + (ours % mostSubnets)}.${place}`
  const [outside, address] = [`${subnet}.1`, `${subnet}.2`]
  ip('netns', 'add', name)
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  ip('addr', 'add', `${outside}/24`, 'dev', name)
  ip('link', 'set', name, 'up')
  ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
  ip('-n', name, 'link', 'set', 'eth0', 'up')
  ip('-n', name, 'link', 'set', 'lo', 'up')
  return { name, address, outside }
}

export function removeMachine({ name }: Machine): void {
  ip('link', 'delete', name)
  ip('netns', 'delete', name)
}

/** What to write before a program so that it runs inside. */
const insideOf = ({ name }: Machine): readonly string[] => ['ip', 'netns', 'exec', name]

function cut({ name }: Machine): void {
  ip('link', 'set', name, 'down')
}

function join({ name }: Machine): void {
  ip('link', 'set', name, 'up')
}

const mostSubnets = 250

/** The kernel allows 15 characters. */
const nameOf = (place: number): string => `my${ours % 1_000_000}-${place}`

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Several servers on one PostgreSQL, each a process, and where it can be one on a machine of its own. */
export class Servers {
  readonly postgres: PrivatePostgres
  readonly #database: string
  readonly #machines: readonly (Machine | null)[]
  readonly #running: ChildServer[] = []
  readonly #clients: Client[] = []

  private constructor(
    postgres: PrivatePostgres,
    database: string,
    machines: readonly (Machine | null)[],
  ) {
    this.postgres = postgres
    this.#database = database
    this.#machines = machines
  }

  /** Starts a server for each machine; null is the machine of the test itself. */
  static async start(
    postgres: PrivatePostgres,
    database: string,
    machines: readonly (Machine | null)[],
  ): Promise<Servers> {
    const servers = new Servers(postgres, database, machines)
    await Promise.all(machines.map((_, place) => servers.startAt(place)))
    return servers
  }

  get clients(): readonly Client[] {
    return this.#clients
  }

  get count(): number {
    return this.#machines.length
  }

  machineOf(place: number): Machine | null {
    return this.#machines[place] ?? null
  }

  processOf(place: number): ChildServer {
    const found = this.#running[place]
    if (!found) throw new Error(`no server ${place}`)
    return found
  }

  /** Starts the server of this place, also again after it was killed. */
  async startAt(place: number): Promise<void> {
    const machine = this.machineOf(place)
    const program = [...(machine ? insideOf(machine) : []), process.execPath]
    const host = machine?.address ?? '127.0.0.1'
    const store = this.postgres.urlOf(this.#database, machine?.outside)
    const options = ['--store', store, '--host', host]
    const started = await startWith(program, options, { PGAPPNAME: sessionName(place) })
    this.#running[place] = started
    this.#clients[place] = clientOf(started)
  }

  /** Ends what still runs, also what is suspended. */
  kill(): void {
    for (const { process } of this.#running) process.kill('SIGKILL')
  }

  /** Ends all in order. */
  async stop(): Promise<void> {
    await Promise.all(this.#running.map((server) => server.end()))
  }
}

/** The sessions of a server carry this name in PostgreSQL. */
const sessionName = (place: number): string => `server-${place}`

/** Does it to the server of this place, or to all, and undoes what does not undo itself. */
type Fault = (servers: Servers, place: number) => Promise<void>

/** Longer than PostgreSQL lets a transaction be idle, so that it takes the lock away. */
const pauseMs = 2_000

const killed: Fault = async (servers, place) => {
  await servers.processOf(place).end('SIGKILL')
  await servers.startAt(place)
}

const allKilled: Fault = async (servers) => {
  const places = Array.from({ length: servers.count }, (_, place) => place)
  await Promise.all(places.map((place) => servers.processOf(place).end('SIGKILL')))
  await Promise.all(places.map((place) => servers.startAt(place)))
}

const paused: Fault = async (servers, place) => {
  const { process } = servers.processOf(place)
  process.kill('SIGSTOP')
  await after(pauseMs)
  process.kill('SIGCONT')
}

/** While it holds the lock of a repository. */
const pausedInATurn: Fault = async (servers, place) => {
  const { process } = servers.processOf(place)
  for (;;) {
    process.kill('SIGSTOP')
    // What is under way in PostgreSQL ends. A transaction that is open then waits for the paused server.
    await after(5)
    if (await hasOpenTransaction(servers, place)) break
    process.kill('SIGCONT')
    await after(1)
  }
  await after(pauseMs)
  process.kill('SIGCONT')
}

async function hasOpenTransaction(servers: Servers, place: number): Promise<boolean> {
  const found = await servers.postgres.query(
    `select 1 from pg_stat_activity
     where application_name = $1 and state like 'idle in transaction%' and xact_start is not null`,
    [sessionName(place)],
  )
  return found.length > 0
}

const sessionsCut: Fault = async (servers, place) => {
  await servers.postgres.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [sessionName(place)],
  )
}

const databaseStopped =
  (how: 'fast' | 'crash'): Fault =>
  async ({ postgres }) => {
    await postgres.close(how)
    await postgres.open()
  }

const cutOff: Fault = async (servers, place) => {
  const machine = servers.machineOf(place)
  if (machine === null) throw new Error(`server ${place} has no machine of its own`)
  cut(machine)
  await after(pauseMs)
  join(machine)
}

/** All faults; the network can be cut only of machines. */
export const faults = (hasMachines: boolean): readonly Fault[] => [
  killed,
  paused,
  pausedInATurn,
  sessionsCut,
  databaseStopped('fast'),
  databaseStopped('crash'),
  ...(hasMachines ? [cutOff] : []),
  allKilled,
]
