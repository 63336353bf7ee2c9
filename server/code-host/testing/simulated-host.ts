/**
 * The queue as it works on a code host, step by step: the real reconciler, rules and adapter, on a repository without
 * git and a fake host that is asked without a network. So an order is the same every time.
 */

import { pino } from 'pino'
import { vi } from 'vitest'
import type { RecordedCommand, RecordedSettings } from '../../../engine/index.ts'
import type { ManagedQueue } from '../../queues/managed-queue.ts'
import { QueueManager } from '../../queues/queue-manager.ts'
import { QueueRegistry } from '../../queues/queue-registry.ts'
import type { Oid } from '../../git/git.ts'
import type { HostedParts } from '../../hosting/hosted-parts.ts'
import { BranchNotes, PullRefs } from '../../hosting/observation.ts'
import { goOn, isMergeDue, landMerge } from '../../hosting/landing.ts'
import { poll } from '../../hosting/polling.ts'
import { oneAtATime } from '../../hosting/backoff.ts'
import { labelOfNew, type HostOptions } from '../../hosting/options.ts'
import { wantedOf } from '../../hosting/wanted.ts'
import { ApiCodeHost } from '../api-code-host.ts'
import { CodeHostFailed } from '../rest.ts'
import type { FakeDialect } from './dialect.ts'
import { FakeCodeHost } from './fake-code-host.ts'
import { placeAt } from './code-host-world.ts'
import { Commits, oidOf, SimulatedMirror, SimulatedRepository } from './simulated-git.ts'
import { markMerged, type FakeState } from './state.ts'

const nameOf = (branch: string): string => `github.com/acme/shop:${branch}`
const name = nameOf('main')
const ref = { host: 'github.com', owner: 'acme', name: 'shop', targetBranch: 'main' }
const logger = pino({ enabled: false })

/** Called before each answer of the host: it may do something, throw `CodeHostFailed`, or lose the answer. */
type Before = (what: string) => 'the answer is lost' | undefined

type SimulatedPorts = {
  readonly kind: FakeDialect
  readonly before: Before
  /** What the clock of the host is ahead of that of the server. */
  readonly clockAheadMs: number
  /** What the clock of the queue is ahead of it: servers on a shared log have that of its database. Default: nothing. */
  readonly queueAheadMs?: number
  /** Called before a landing, which then asks the host what may land. */
  readonly onLanding: () => void
  /** Called for each pull request that lands, before the host shows it as merged. */
  readonly onLanded: (head: Oid, commit: Oid) => void
  /** True if the tests of a composition with this head pass. */
  readonly passes: (head: Oid) => boolean
  readonly set: RecordedSettings
  /** The target branches of all queues of the repository. Default: `main` alone. */
  readonly branches?: readonly string[] | undefined
}

export class SimulatedHost {
  clock = 1_767_603_600_000
  readonly fake: FakeCodeHost
  readonly #ports: SimulatedPorts
  readonly #manager: QueueManager
  readonly #mirror: SimulatedMirror
  /** Heads of forks that the host shows and has not taken over. */
  readonly missing: Set<Oid>
  #kept: string | null = null
  #parts: HostedParts

  constructor(ports: SimulatedPorts) {
    const { kind, before, set, clockAheadMs } = ports
    this.#ports = ports
    const commits = new Commits((head, commit) => {
      ports.onLanded(head, commit)
      this.#seeMerged(head, commit)
    })
    this.missing = commits.missing
    this.fake = new FakeCodeHost(kind, {
      folder: '',
      repository: new SimulatedRepository(commits),
      now: () => this.clock + clockAheadMs,
    })
    this.fake.onRequest = (asked) => {
      try {
        if (before(asked) === 'the answer is lost') this.fake.losesAnswerOf.push(asked)
        return null
      } catch (error) {
        if (!(error instanceof CodeHostFailed)) throw error
        return { status: error.status, body: { message: error.message } }
      }
    }
    vi.stubGlobal('fetch', this.fake.fetch)
    this.#mirror = new SimulatedMirror(commits, before)
    const log = { append: () => undefined, durable: () => undefined }
    const registry = new QueueRegistry({ wakeAt: () => undefined, integrations })
    this.#manager = new QueueManager(registry, { now: () => this.#now(), log })
    this.#manager.send(name, {
      type: 'createQueue',
      incarnation: oidOf('queue'),
      codeHost: 'answers',
      set: { enqueueingLabel: labelOfNew, ...set },
    })
    this.#parts = this.#makeParts()
  }

  get state(): FakeState {
    return this.fake.state
  }

  get queue() {
    return this.#parts.queue.engine.queue
  }

  /** The queue of a branch, as far as it was created. */
  find(branch: string): ManagedQueue | null {
    return this.#manager.registry.find(nameOf(branch)) ?? null
  }

  /** Sends a command to the queue of a branch. */
  send(branch: string, command: RecordedCommand): void {
    this.#manager.send(nameOf(branch), command)
  }

  /** Why the queue is paused; null if it is not. */
  get denied(): string | null {
    return this.#parts.denied?.words ?? null
  }

  /** The server stops and starts: only what is durable stays. */
  async restart(): Promise<void> {
    await this.#parts.codeHost?.close()
    this.#parts = this.#makeParts()
  }

  /** The server is killed and starts: what it would do at its end is not done. */
  crash(): void {
    this.#parts = this.#makeParts()
  }

  async close(): Promise<void> {
    await this.#parts.codeHost?.close()
  }

  /** One poll, the verdicts of all runs, and one merge. A fault outside ends it early; the next one goes on. */
  async pass(): Promise<void> {
    const parts = this.#parts
    try {
      await poll(parts)
      const { runs } = wantedOf(this.queue)
      for (const { id, submissions } of runs) {
        const heads = submissions.map((each) => parts.queue.history.snapshots.get(each)?.head ?? '')
        const outcome = heads.every((head) => this.#ports.passes(head)) ? 'passed' : 'failed'
        this.#manager.send(name, { type: 'finishTestRun', testRun: id, outcome })
      }
      const wanted = wantedOf(this.queue)
      goOn(parts, wanted)
      const [merge] = wanted.merges
      this.#ports.onLanding()
      if (merge && isMergeDue(parts, merge)) await landMerge(parts, merge)
      await parts.codeHost?.show()
    } catch (error) {
      if (!(error instanceof CodeHostFailed)) throw error
    }
  }

  #seeMerged(head: Oid, commit: Oid): void {
    const { state, dialect } = this.fake
    if (dialect.mark !== null) return
    for (const pull of state.pulls.values()) {
      const isIt = pull.head === head && pull.state === 'open' && pull.base === ref.targetBranch
      if (isIt) markMerged(state, pull, commit)
    }
  }

  #now(): number {
    return this.clock + (this.#ports.queueAheadMs ?? 0)
  }

  #makeParts(): HostedParts {
    const queue = this.#manager.registry.find(name)
    if (!queue) throw new Error('there is no queue')
    const { branches = ['main'] } = this.#ports
    const options: HostOptions = { ref, url: '', set: {}, pollMs: 0, tests: { kind: 'external' } }
    const now = (): number => this.#now()
    const notes = {
      read: () => this.#kept,
      write: (text: string) => Promise.resolve(void (this.#kept = text)),
    }
    const mirror = this.#mirror
    const { adapter, optionsOf, prefix } = this.fake.dialect
    const place = placeAt(`http://host.example.com${prefix}`)
    return {
      queue,
      mirror,
      logger,
      now,
      observation: null,
      refused: null,
      denied: null,
      impacted: null,
      settled: () => undefined,
      durable: () => undefined,
      alone: oneAtATime(),
      send: (command) => void this.#manager.send(name, command),
      ask: (command, by = null) => Promise.resolve(this.#manager.send(name, command, by)),
      hold: (_, send) => send(),
      codeHost: new ApiCodeHost(
        adapter.open(optionsOf(place), logger, pace),
        options,
        {
          notes,
          queue,
          mirror,
          logger,
          now,
          branches,
          others: () => branches.slice(1).flatMap((branch) => this.find(branch) ?? []),
          onNotified: () => undefined,
          onNoVerdict: () => undefined,
          onRefused: () => false,
          onPlaced: () => undefined,
        },
        { intervals },
      ),
      refs: new PullRefs(),
      branches,
      refusedRefs: new Map(),
      branchNotes: new BranchNotes(notes),
      noteTargets: null,
    }
  }
}

const pace = { isThrottled: false, retryAfterMs: 0 }
/** What fails is shown again at a later pass, never by a timer. */
const intervals = { gapMs: 0, againMs: 60_000 }
const integrations = {
  testRunner: { start: () => undefined, cancel: () => undefined },
  codeHost: { merge: () => undefined },
}
