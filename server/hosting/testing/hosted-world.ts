/** A server that works on a repository of a test, and the queue as the test sees it. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type {
  Event,
  PullRequestNumber,
  QueueView,
  RecordedSettings,
  TestRunId,
} from '../../../engine/index.ts'
import type { QueueHistory } from '../../history/records.ts'
import { stepsOf } from '../../history/timeline.ts'
import { nameOfQueue } from '../../identity/queue-ref.ts'
import type { ManagedQueue } from '../../queues/managed-queue.ts'
import type { RunningServer, ServerPorts } from '../../server.ts'
import { temporaryFolder } from '../../terminal/testing/temporary-folder.ts'
import { explained } from '../../views/why.ts'
import { dependsOnOf } from '../depending.ts'
import type { HostedPorts } from '../hosted-repository.ts'
import type { HostedQueue } from '../hosting.ts'
import type { HostOptions } from '../options.ts'
import { startHosting } from './hosted-server.ts'
import { TestRepository } from './test-repository.ts'
import { onlyCommand } from '../../runner/command-runner.ts'

export type WorldOptions = {
  /** The target branch of each queue. */
  readonly branches?: readonly string[]
  readonly set?: RecordedSettings
  readonly tests?: HostOptions['tests']
  readonly targets?: HostOptions['targets']
  readonly hold?: HostedPorts['hold']
  readonly files?: Readonly<Record<string, string>>
  readonly pollMs?: number
  /** Serves the folder of the repository, and returns its address. Default: by path. */
  readonly address?: (folder: string) => Promise<string>
  /** Made by the test, if the repository is somewhere special. */
  readonly repository?: TestRepository
  /** Other options of each queue. */
  readonly host?: Partial<HostOptions>
  readonly codeHost?: ServerPorts['codeHost']
  /** Default: the time of the system. */
  readonly time?: ServerPorts['time']
}

type Moved = Extract<Event, { type: 'pullRequestMoved' }>

export class HostedWorld {
  readonly folder = temporaryFolder()
  /** The lines of the server's log. */
  readonly log: string[] = []
  readonly repository: TestRepository
  readonly #options: WorldOptions
  readonly #events = new Map<string, Event[]>()
  #server: RunningServer | null = null
  #url: string | null = null

  constructor(options: WorldOptions) {
    this.#options = options
    this.repository = options.repository ?? new TestRepository(join(this.folder, 'shop.git'))
  }

  /** Makes the repository, and its address. */
  async make(): Promise<void> {
    const { files, address } = this.#options
    await this.repository.make(files)
    this.#url = address ? `${await address(this.folder)}/shop.git` : this.repository.path
  }

  async start(branches = this.#options.branches ?? ['main']): Promise<void> {
    const { hold, codeHost, time } = this.#options
    const server = await startHosting(
      join(this.folder, 'data'),
      branches.map((branch) => this.#hostOptions(branch)),
      {
        logger: pino({ base: null }, { write: (line: string) => void this.log.push(line) }),
        ...(hold ? { hold } : {}),
        ...(codeHost ? { codeHost } : {}),
        ...(time ? { time } : {}),
      },
    )
    this.#server = server
    server.manager.subscribe(({ queue, events }) => {
      const name = queue?.targetBranch ?? ''
      this.#events.set(name, [...(this.#events.get(name) ?? []), ...events])
    })
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    await server?.stop()
  }

  /** The data folder is lost. Call it while the server is stopped. */
  forget(): void {
    rmSync(join(this.folder, 'data'), { recursive: true })
  }

  /** Who caused the first step of a pull request, as its timeline names them. */
  askedBy(number: PullRequestNumber, branch = 'main'): string | null {
    const [first] = stepsOf(this.history(branch).pullRequests.get(number)?.timeline ?? [])
    return first?.by ?? null
  }

  get isRunning(): boolean {
    return this.#server !== null
  }

  get server(): RunningServer {
    if (!this.#server) throw new Error('the server is stopped')
    return this.#server
  }

  host(branch = 'main'): HostedQueue {
    const host = this.server.hosts.of(nameOf(branch))
    if (!host) throw new Error(`${branch} has no repository`)
    return host
  }

  managed(branch = 'main'): ManagedQueue {
    const queue = this.server.manager.registry.find(nameOf(branch))
    if (!queue) throw new Error(`${branch} has no queue`)
    return queue
  }

  queue(branch = 'main'): QueueView {
    return this.managed(branch).engine.queue
  }

  history(branch = 'main'): QueueHistory {
    return this.managed(branch).history
  }

  /** The state of each pull request. */
  states(branch = 'main'): Record<PullRequestNumber, string> {
    const all = Object.values(this.queue(branch).pullRequests)
    return Object.fromEntries(all.map(({ number, state }) => [number, state]))
  }

  /** The reason of the last move of a pull request. */
  reasonOf(number: PullRequestNumber, branch = 'main'): string | null {
    return this.queue(branch).pullRequests[number]?.reason ?? null
  }

  /** What `mergeyard why` says of a pull request. */
  why(number: PullRequestNumber, branch = 'main'): string {
    const queue = this.managed(branch)
    const pullRequest = queue.engine.queue.pullRequests[number]
    return pullRequest ? explained(queue, pullRequest).sentence : ''
  }

  /** How a pull request moved, in order: `FAILED TEST_RUN_TIMEOUT`. */
  moves(number: PullRequestNumber, branch = 'main'): string[] {
    const events = this.#events.get(branch) ?? []
    const moved = events.filter((event): event is Moved => event.type === 'pullRequestMoved')
    return moved.flatMap((move) =>
      move.number === number ? [`${move.to}${move.reason ? ` ${move.reason}` : ''}`] : [],
    )
  }

  /** Polls the repository now: nobody can open the target branch, but the server polls first. */
  async poll(branch = 'main'): Promise<void> {
    await this.host(branch).open(branch)
  }

  /** Submits the pull request `refs/pull/<number>/head`. */
  async submit(number: PullRequestNumber, branch = 'main'): Promise<void> {
    const found = await this.host(branch).snapshotOf(number)
    if ('refused' in found) throw new Error(found.refused.text)
    const snapshot = found.value
    const { head: sha } = snapshot
    this.send(
      { type: 'submitPullRequest', number, sha, card: snapshot, ...dependsOnOf(snapshot) },
      branch,
    )
  }

  send(command: Parameters<RunningServer['manager']['send']>[1], branch = 'main'): void {
    const outcome = this.server.manager.send(nameOf(branch), command)
    if (!outcome.accepted) throw new Error(JSON.stringify(outcome.rejection))
  }

  /** Settles once this is true after a durable command. */
  async until(isTrue: () => boolean): Promise<void> {
    const { manager } = this.server
    await new Promise<void>((resolve) => {
      const check = (): void => {
        // One that stops still tells what it has done.
        if (this.isRunning && isTrue()) resolve()
      }
      manager.subscribe(check)
      check()
    })
    await manager.durable()
  }

  /** Settles when each of them is in that state. */
  async untilState(state: string, ...numbers: readonly PullRequestNumber[]): Promise<void> {
    await this.until(() => numbers.every((number) => this.states()[number] === state))
  }

  /** The runs in progress. */
  runs(): TestRunId[] {
    return Object.values(this.queue().testRuns).map(({ id }) => id)
  }

  #hostOptions(branch: string): HostOptions {
    const flaked = join(this.folder, 'flaked')
    const run = `FLAKED='${flaked}' sh test.sh`
    const {
      tests = { ...onlyCommand, kind: 'command', run, bind: [this.folder] },
      set = {},
      targets,
    } = this.#options
    return {
      ref: refOf(branch),
      url: this.#url ?? this.repository.path,
      // Most stories are about the repository: what a failure means is to be the same each time.
      set: { policy: 'documented', ...set },
      pollMs: this.#options.pollMs ?? 100,
      tests,
      ...(targets ? { targets } : {}),
      ...this.#options.host,
    }
  }
}

/** Makes the repository, and starts the server; it stops when the test ends. */
export async function hostedWorld(options: WorldOptions = {}): Promise<HostedWorld> {
  const world = new HostedWorld(options)
  await world.make()
  onTestFinished(() => world.stop())
  await world.start()
  // What was pushed before the first poll is no request (A-258).
  if (!options.codeHost) {
    for (const branch of options.branches ?? ['main']) await world.poll(branch)
  }
  return world
}

function refOf(targetBranch: string) {
  return { host: 'local', owner: 'acme', name: 'shop', targetBranch }
}

const nameOf = (branch: string): string => nameOfQueue(refOf(branch))
