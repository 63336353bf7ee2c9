/** The server of a crash program, whose queue holds the story. The test that started the program kills it. */

import { pino } from 'pino'
import { isTerminal, type PullRequestView, type RecordedSettings } from '../../../engine/index.ts'
import { serverDefaults } from '../../server-defaults.ts'
import { nameOfQueue } from '../../identity/queue-ref.ts'
import { startServer, type RunningServer, type ServerPorts } from '../../server.ts'
import type { HostOptions } from '../options.ts'
import type { Files, TestRepository } from './test-repository.ts'

type Started = {
  /** `look`: the first look; `enter`: the queue is PAUSED, and everybody gets in; `merge`: it runs. */
  readonly what: string
  readonly data: string
  readonly host: Omit<HostOptions, 'ref' | 'set' | 'pollMs'>
  readonly set?: RecordedSettings
  readonly ports?: Pick<ServerPorts, 'forge'>
}

export class CrashServer {
  readonly server: RunningServer
  readonly #what: string

  private constructor(server: RunningServer, what: string) {
    this.server = server
    this.#what = what
  }

  static async start({ what, data, host, set, ports }: Started): Promise<CrashServer> {
    const state = what === 'merge' ? 'RUNNING' : 'PAUSED'
    const settings: RecordedSettings = { ...crashQueue.set, ...set, state }
    const queue = { ...crashQueue, set: settings, ...host }
    const server = await startServer(
      { ...serverDefaults, port: 0, data, token: 'secret', hosting: [queue] },
      {
        logger: pino({ enabled: false }),
        onFirstToken: () => undefined,
        onFailure: () => undefined,
        ...ports,
      },
    )
    return new CrashServer(server, what)
  }

  get #pullRequests(): PullRequestView[] {
    const queue = this.server.manager.registry.find(nameOfQueue(crashQueue.ref))
    return Object.values(queue?.engine.queue.pullRequests ?? {})
  }

  /** True once the branch is known, and all pull requests have entered, or have left. */
  get isOver(): boolean {
    const queue = this.server.manager.registry.find(nameOfQueue(crashQueue.ref))
    if (this.#what === 'look') return queue !== undefined && queue.history.tips.size > 0
    const all = this.#pullRequests
    if (all.length < crashNumbers.length) return false
    return this.#what === 'enter' || all.every(({ state }) => isTerminal(state))
  }

  /** Stops the server, and prints how each pull request ended. */
  async end(): Promise<void> {
    await this.server.stop()
    const states = this.#pullRequests.map(({ number, state, reason }): [number, string] => [
      number,
      state === 'FAILED' ? `FAILED ${reason}` : state,
    ])
    process.stdout.write(JSON.stringify(Object.fromEntries(states)))
  }
}

// A story of six pull requests: one flakes, one breaks, two change the same line.

const crashQueue = {
  ref: { host: 'local', owner: 'acme', name: 'shop', targetBranch: 'main' },
  set: { concurrency: 3, batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 0 },
  pollMs: 50,
} as const satisfies Omit<HostOptions, 'url' | 'tests'>

/**
 * The branches are numbered in the order of their names. The batches are a and b, c and d, e and f: the
 * first one flakes, and of the last one a part breaks and the other conflicts with c.
 */
export const crashChanges: readonly (readonly [name: string, files: Files])[] = [
  ['a', { flaky: 'once\n' }],
  ['b', { 'b.txt': 'b\n' }],
  ['c', { 'line.txt': 'c\n' }],
  ['d', { 'd.txt': 'd\n' }],
  ['e', { 'broken/e': 'yes\n' }],
  ['f', { 'line.txt': 'f\n' }],
]

/** Whatever is killed, and when: these are promised. */
export const crashEnd = {
  1: 'MERGED',
  2: 'MERGED',
  3: 'MERGED',
  4: 'MERGED',
  5: 'FAILED TEST_RUN_REQUIRED_STATUS_FAILED',
  6: 'FAILED START_TEST_RUN_MERGE_CONFLICT',
}

const crashNumbers = crashChanges.map((_, index) => index + 1)

export async function pushAll(repository: TestRepository): Promise<void> {
  for (const [name, files] of crashChanges)
    await repository.commit(`refs/heads/queue/${name}`, files)
}
