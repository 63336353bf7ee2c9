/** What happens to servers, their sessions and their database while clients ask them. */

import { cut, join } from './machine.ts'
import { sessionName, type Servers } from './servers.ts'

export type Fault = {
  readonly name: string
  /** Does it to the server of this place, or to all, and undoes what does not undo itself. */
  readonly strike: (servers: Servers, place: number) => Promise<void>
}

/** Longer than PostgreSQL lets a transaction stand still, so that it takes the lock away. */
const pauseMs = 2_000

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

async function kill(servers: Servers, place: number): Promise<void> {
  const { process, ended } = servers.processOf(place)
  process.kill('SIGKILL')
  await ended
}

const killed: Fault = {
  name: 'a server is killed',
  strike: async (servers, place) => {
    await kill(servers, place)
    await servers.startAt(place)
  },
}

const allKilled: Fault = {
  name: 'all servers are killed at once',
  strike: async (servers) => {
    const places = Array.from({ length: servers.count }, (_, place) => place)
    await Promise.all(places.map((place) => kill(servers, place)))
    await Promise.all(places.map((place) => servers.startAt(place)))
  },
}

const paused: Fault = {
  name: 'a server stands still',
  strike: async (servers, place) => {
    const { process } = servers.processOf(place)
    process.kill('SIGSTOP')
    await after(pauseMs)
    process.kill('SIGCONT')
  },
}

const pausedInATurn: Fault = {
  name: 'a server stands still while it holds the lock of a repository',
  strike: async (servers, place) => {
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
  },
}

async function hasOpenTransaction(servers: Servers, place: number): Promise<boolean> {
  const found = await servers.postgres.query(
    `select 1 from pg_stat_activity
     where application_name = $1 and state like 'idle in transaction%' and xact_start is not null`,
    [sessionName(place)],
  )
  return found.length > 0
}

const sessionsCut: Fault = {
  name: 'all sessions of a server are ended by the database',
  strike: async (servers, place) => {
    await servers.postgres.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
      [sessionName(place)],
    )
  },
}

const databaseRestarted: Fault = {
  name: 'the database is shut down and starts again',
  strike: async ({ postgres }) => {
    await postgres.close('fast')
    await postgres.open()
  },
}

const databaseCrashed: Fault = {
  name: 'the database crashes and starts again',
  strike: async ({ postgres }) => {
    await postgres.close('crash')
    await postgres.open()
  },
}

const cutOff: Fault = {
  name: 'the network of a server is cut',
  strike: async (servers, place) => {
    const machine = servers.machineOf(place)
    if (machine === null) throw new Error(`server ${place} has no machine of its own`)
    cut(machine)
    await after(pauseMs)
    join(machine)
  },
}

/** All faults; the network can be cut only of machines. */
export const faults = (hasMachines: boolean): readonly Fault[] => [
  killed,
  paused,
  pausedInATurn,
  sessionsCut,
  databaseRestarted,
  databaseCrashed,
  ...(hasMachines ? [cutOff] : []),
  allKilled,
]
