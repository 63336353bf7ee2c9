/**
 * Of several servers on one PostgreSQL one works on the repository at a time. Another one goes on when it is
 * killed, suspended or stopped, and every pull request merges once.
 */

import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { Client as Database } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { nameOfQueue, repositoryIn } from '../../../server/identity/queue-ref.ts'
import { git } from '../../../server/git/git.ts'
import { copyOut } from '../../../server/postgres/copy.ts'
import { withPostgres } from '../../../server/postgres/testing/with-postgres.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { brokenCommits, landedIn } from '../../rehearsal/play.ts'
import type { Client, ClientResponse } from '../../../server/testing/client.ts'
import { untilSome } from '../../../server/testing/test-server.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { makeRepository } from '../../rehearsal/repository.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import {
  testProcesses,
  childToken,
  clientOf,
  startWith,
  type ChildServer,
} from '../testing/program.ts'

/** Servers that share a PostgreSQL and work on one repository, each a process with a folder of its own. */
type SharedServer = ChildServer & { readonly data: string; readonly client: Client }

class SharedWorld {
  readonly folder = temporaryFolder()
  readonly shop = join(this.folder, 'shop.git')
  readonly servers: SharedServer[] = []
  /** Until this file is there, no test run ends. */
  readonly #gate = join(this.folder, 'gate')
  readonly #queue = { repo: repositoryIn(this.shop), targetBranch: 'main' }
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
  async start(place: number, ...more: readonly string[]): Promise<void> {
    const data = join(this.folder, `server-${place}`)
    const run = `while [ ! -e '${this.#gate}' ]; do sleep 0.05; done; node test.mjs`
    const tests = ['--test', run, '--bind', this.folder, '--batch', '2']
    const all = ['--repo', this.shop, ...tests, '--data', data, '--store', this.#store, ...more]
    const child = await startWith([process.execPath], all, {}, 'serve')
    this.servers[place] = { ...child, data, client: clientOf(child) }
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
        // Some are killed, and some suspended.
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
    const isTesting = (server: SharedServer) =>
      server !== ended && testProcesses(server.data).length > 0
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

  /** Ends what still runs, also what is suspended, and the test runs of those that were killed. */
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
  // Some are killed, and some suspended.
  const signal = AbortSignal.timeout(1_000)
  const scraped = fetch(`${url}/metrics`, { headers, signal }).then((found) => found.text())
  return /^mergeyard_repository_worker 1$/m.test(await scraped.catch(() => ''))
}

withPostgres((postgres) => {
  async function begin(count: number): Promise<{ world: SharedWorld; store: string }> {
    const store = await postgres.database()
    const world = new SharedWorld(store)
    onTestFinished(() => world.remove())
    await world.begin(count)
    return { world, store }
  }

  /** Pull request 2 fails, and the others are on the branch once, each with commits that pass. */
  async function judge({ shop, folder }: SharedWorld): Promise<void> {
    const landed = await landedIn(shop)
    expect(landed.flatMap(({ numbers }) => numbers).toSorted((a, b) => a - b)).toEqual([1, 3])
    const commits = landed.map(({ commit }) => commit)
    expect(await brokenCommits(folder, shop, commits)).toEqual([])
  }

  test('given kill -9 in the middle of the tests, another server goes on', async () => {
    const { world, store } = await begin(2)
    for (const number of [1, 2, 3]) expect(await world.submit(number)).toBe(200)
    const worker = await world.testing()
    worker.process.kill('SIGKILL')
    await world.testing(worker)

    // A server that comes back ends what it has left, although it does not work.
    await world.start(world.servers.indexOf(worker))
    expect(testProcesses(worker.data)).toEqual([])
    world.openGate()
    await expect.poll(() => world.states()).toEqual(['MERGED', 'FAILED', 'MERGED'])
    await judge(world)

    const data = join(world.folder, 'copied')
    await copyOut(store, dataFolder(data))
    const queue = nameOfQueue({ ...repositoryIn(world.shop), targetBranch: 'main' })
    await new CliFolder().printed(`sim --against '${data}' --queue ${queue} --no-report`)
  })

  test('a server that wakes up stops to work, and nothing is done twice', matrix, async () => {
    const { world } = await begin(2)
    for (const number of [1, 2, 3]) expect(await world.submit(number)).toBe(200)
    const worker = await world.testing()
    worker.process.kill('SIGSTOP')
    await world.testing(worker)
    worker.process.kill('SIGCONT')
    await expect.poll(() => testProcesses(worker.data)).toEqual([])
    world.openGate()
    await expect.poll(() => world.states()).toEqual(['MERGED', 'FAILED', 'MERGED'])
    await judge(world)
  })

  test('every server answers what only the one that works can know', matrix, async () => {
    const { world } = await begin(3)
    const worker = await world.worker()
    const others = world.servers.filter((server) => server !== worker)
    const [one, other] = others
    if (!one || !other) throw new Error('three servers have begun')
    await git(['--git-dir', world.shop, 'branch', 'more', 'refs/pull/3/head'])
    const answers = async (operation: string, body: object = {}): Promise<unknown[]> =>
      Promise.all(
        world.servers.map(async (server) => {
          const { status, json } = await world.askOnly(server, operation, body)
          return [status, json]
        }),
      )
    const same = async (status: number, operation: string, body: object, json: object) =>
      expect(await answers(operation, body)).toMatchObject(world.servers.map(() => [status, json]))
    const lastLookAt = expect.any(String)
    // The one that works has looked at the repository, soon after its term began.
    await expect
      .poll(() => answers('getRepositoryStatus'))
      .toMatchObject(world.servers.map(() => [200, { lastLookAt }]))
    await same(200, 'getRepositoryStatus', {}, { url: world.shop, lastLookAt, faults: [] })
    await same(200, 'openPullRequest', { branch: 'more' }, { pr: { number: 1_000_001 } })
    await same(404, 'submitPullRequest', { pr: { number: 9 } }, {})
    world.openGate()
    const [first, second] = [{ pr: { number: 1 } }, { pr: { number: 2 } }]
    expect((await world.askOnly(one, 'submitPullRequest', first)).status).toBe(200)
    await expect.poll(() => world.states([1])).toEqual(['MERGED'])
    const tested = { pr: { number: 1 }, includeTimeline: true }
    const { text } = await world.askOnly(other, 'getSubmittedPullRequest', tested)
    const testRunId = /"testRunId":"([^"]+)"/u.exec(text)?.[1]
    await same(
      200,
      'getTestRunLog',
      { testRunId },
      { log: expect.stringContaining('passed: the tests pass') },
    )

    worker.process.kill('SIGKILL')
    // The question waits for the server that goes on.
    expect((await world.askOnly(one, 'submitPullRequest', second)).status).toBe(200)
    // The log is lost with the server that has it.
    expect((await world.askOnly(other, 'getTestRunLog', { testRunId })).status).toBe(404)
  })

  test('given --log story, a server tells what happens on all of them', async () => {
    const { world } = await begin(1)
    await world.start(1, '--log', 'story')
    for (const number of [1, 2]) expect(await world.submit(number)).toBe(200)
    // Not before: what has merged cannot be submitted again, if an answer came too late.
    world.openGate()
    const { log } = world.servers[1] ?? {}
    for (const line of [/^.{8} {2}entered +#1/m, /MERGED +#1/, /FAILED +#2/])
      await expect.poll(() => log?.()).toMatch(line)
  })

  //
  test('who goes on sets no queue anew and makes none that was deleted', matrix, async () => {
    const { world } = await begin(2)
    const batch = async (): Promise<unknown> => {
      const { status, json } = (await world.ask('getQueue')).response
      return status === 200 ? Reflect.get(Object(json), 'batch') : status
    }
    const killWorker = async (): Promise<number> => {
      const worker = await world.worker()
      worker.process.kill('SIGKILL')
      await worker.ended
      await world.worker()
      return world.servers.indexOf(worker)
    }
    await world.ask('updateQueue', { batch: false })
    const killed = await killWorker()
    expect(await batch()).toBe(false)
    await world.start(killed)
    expect(await batch()).toBe(true)
    await world.ask('deleteQueue')
    await killWorker()
    expect(await batch()).toBe(404)
  })

  test('a server that is stopped gives its term back', matrix, async () => {
    const { world, store } = await begin(1)
    const worker = await world.worker()
    const client = new Database({ connectionString: store })
    await client.connect()
    onTestFinished(() => client.end())
    const terms = async (): Promise<unknown> =>
      (await client.query(`select name, until > 0 as "isHeld" from mergeyard.terms`)).rows
    expect(await terms()).toEqual([{ name: 'hosts', isHeld: true }])
    expect(await worker.end()).toBe(0)
    expect(await terms()).toEqual([{ name: 'hosts', isHeld: false }])
  })
})
