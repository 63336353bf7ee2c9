/** Several servers on one PostgreSQL, each a process, and where it can be one on a machine of its own. */

import { Client, Contract } from '../../../../../server/testing/client.ts'
import type { PrivatePostgres } from '../../../../../server/postgres/testing/private-postgres.ts'
import { childToken, startWith, type ChildServer } from '../child-server.ts'
import { insideOf, type Machine } from './machine.ts'

export class Servers {
  readonly postgres: PrivatePostgres
  readonly #database: string
  readonly #machines: readonly (Machine | null)[]
  readonly #running: ChildServer[] = []
  readonly #clients: Client[] = []
  readonly #contract = new Contract()

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
    this.#clients[place] = new Client(started.url, childToken, this.#contract)
  }

  /** Ends what still runs, also what stands still. */
  kill(): void {
    for (const { process } of this.#running) process.kill('SIGKILL')
  }

  /** Ends all, and returns what each has logged. */
  async stop(): Promise<readonly string[]> {
    const running = this.#running.map(async (server) => {
      server.process.kill('SIGTERM')
      await server.ended
      return server.log()
    })
    return Promise.all(running)
  }
}

/** The sessions of a server carry this name in PostgreSQL. */
export const sessionName = (place: number): string => `server-${place}`
