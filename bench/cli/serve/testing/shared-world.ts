/** Servers that share a PostgreSQL and work on one repository, each a process with a folder of its own. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryIn } from '../../../../server/hosting/repository-name.ts'
import { Client, type ClientResponse } from '../../../../server/testing/client.ts'
import { Contract } from '../../../../server/testing/contract.ts'
import { temporaryFolder, untilSome } from '../../../../server/testing/test-server.ts'
import { makeRepository } from '../../../stage/repository.ts'
import { childToken, startWith, type ChildServer } from '../../start/testing/child-server.ts'

export type SharedServer = ChildServer & { readonly data: string; readonly client: Client }

export class SharedWorld {
  readonly folder = temporaryFolder()
  readonly shop = join(this.folder, 'shop.git')
  readonly servers: SharedServer[] = []
  /** Until this file is there, no test run ends. */
  readonly #gate = join(this.folder, 'gate')
  readonly #queue = { repo: repositoryIn(this.shop), targetBranch: 'main' }
  readonly #contract = new Contract()
  readonly #store: string

  constructor(store: string) {
    this.#store = store
  }

  /** Makes the repository, whose pull request 2 breaks its tests, and starts so many servers. */
  async begin(count: number): Promise<void> {
    await makeRepository(this.shop, [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }])
    await Promise.all(Array.from({ length: count }, (_, place) => this.start(place)))
  }

  /** Starts a server, also again on the folder of one that was killed. */
  async start(place: number): Promise<void> {
    const data = join(this.folder, `server-${place}`)
    const run = `while [ ! -e ${this.#gate} ]; do sleep 0.05; done; node test.mjs`
    const tests = ['--test', run, '--bind', this.folder, '--batch', '2']
    const all = ['--repo', this.shop, ...tests, '--data', data, '--store', this.#store]
    const child = await startWith([process.execPath], all, {}, 'serve')
    const client = new Client(child.url, childToken, this.#contract)
    this.servers[place] = { ...child, data, client }
  }

  /** Lets test runs end. */
  openGate(): void {
    writeFileSync(this.#gate, '')
  }

  /**
   * Asks one server after the other, as a balancer does, until one can answer. Each round it is more patient: one
   * that never waits long enough only adds to the work of a busy machine.
   */
  async ask(
    operation: string,
    body: object = {},
  ): Promise<{ readonly server: SharedServer; readonly response: ClientResponse }> {
    let patienceMs = 500
    return untilSome(async () => {
      patienceMs *= 2
      for (const server of this.servers) {
        // Some are killed, and some stand still.
        const signal = AbortSignal.timeout(patienceMs)
        const response = await server.client
          .call(operation, { ...this.#queue, ...body }, { signal })
          .catch(() => null)
        if (response && response.status !== 503) return { server, response }
      }
      return null
    })
  }

  /** The server that works on the repository: one says so, as soon as it has begun. */
  async worker(): Promise<SharedServer> {
    return untilSome(async () => {
      for (const server of this.servers) if (await saysThatItWorks(server)) return server
      return null
    })
  }

  /**
   * The server that has test runs, apart from one that was ended before: its runs may go on. On a busy machine
   * a server that works can lose its term before its first run, so the runs decide.
   */
  async testing(ended?: SharedServer): Promise<SharedServer> {
    const isTesting = (server: SharedServer) => server !== ended && testRunsOf(server).length > 0
    return untilSome(() => Promise.resolve(this.servers.find(isTesting) ?? null))
  }

  async submit(number: number): Promise<number> {
    const { response } = await this.ask('submitPullRequest', { pr: { number } })
    return response.status
  }

  /** Asks one server, once. */
  askOnly(server: SharedServer, operation: string, body: object = {}): Promise<ClientResponse> {
    return server.client.call(operation, { ...this.#queue, ...body })
  }

  /** The state of each pull request. */
  async states(numbers: readonly number[] = [1, 2, 3]): Promise<readonly unknown[]> {
    const states: unknown[] = []
    for (const number of numbers) {
      const { response } = await this.ask('getSubmittedPullRequest', { pr: { number } })
      states.push(Reflect.get(Object(response.json), 'state'))
    }
    return states
  }

  /** Ends what still runs, also what stands still, and the test runs of those that were killed. */
  async remove(): Promise<void> {
    this.openGate()
    for (const { process, ended } of this.servers) {
      process.kill('SIGKILL')
      await ended
    }
  }
}

async function saysThatItWorks({ url }: SharedServer): Promise<boolean> {
  const headers = { 'x-api-token': childToken }
  // Some are killed, and some stand still.
  const signal = AbortSignal.timeout(1_000)
  const scraped = fetch(`${url}/metrics`, { headers, signal }).then((found) => found.text())
  return /^mergeyard_repository_worker 1$/m.test(await scraped.catch(() => ''))
}

/** The test runs of a server: their home is below its folder. Linux only. */
export function testRunsOf({ data }: SharedServer): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${data}/`)
    } catch {
      return false
    }
  })
}
