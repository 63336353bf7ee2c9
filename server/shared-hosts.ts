/**
 * The queues that several servers on a shared log work on: one server at a time does, who has the hosts' term.
 * The others ask for it, so one of them goes on if that server has died or is suspended.
 */

import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { PullRequestNumber, TestRunId } from '../engine/index.ts'
import { holdLock } from './files/lock.ts'
import type { HookPorts, NamedNotification } from './code-host/hook.ts'
import { withoutCredentials } from './terminal/text.ts'
import type { HostAnswer, HostedQueue, Hosting, HostRefusal } from './hosting/hosting.ts'
import { queuesOf } from './hosting/hosting.ts'
import { Hosts, startQueue, type HostsParts } from './hosting/hosts.ts'
import { type HostOptions, pageOfPull } from './hosting/options.ts'
import { nameOfQueue } from './identity/queue-ref.ts'
import { hostsTerm, sharedNotes, sharedTerms } from './postgres/shared-state.ts'
import { Questions } from './postgres/shared-questions.ts'
import type { QueueManager } from './queues/queue-manager.ts'
import type { Committed } from './replica/committed.ts'
import type { LogDatabase } from './replica/log-database.ts'
import type { Replica } from './replica/replica.ts'
import { sharedQueues, OutOfTerm, workInTerm } from './replica/work-in-term.ts'
import { killRunsIn } from './runner/process-group.ts'
import type { TermKeeper, Work } from './timing/term-keeper.ts'
import { makeFolder } from './terminal/files.ts'
import type { Timers } from './timing/timers.ts'

export type SharedHostsParts = Pick<HostsParts, 'folder' | 'readReports' | 'codeHosts' | 'now'> & {
  readonly pool: Pool
  readonly log: LogDatabase
  readonly replica: Replica
  readonly logger: Logger
  readonly timers: Timers
  /** The webhooks of the code hosts, for the server that works. */
  readonly hooks: readonly HookPorts[]
}

/** What is asked of the server that works. */
type Question = HostQuestion | ({ readonly asks: 'notify' } & PassedNotification)

/** What an administrator must know. */
const faults = {
  'cannot begin': 'the repositories cannot be worked on',
  'cannot follow the log': 'the log cannot be followed',
} as const

export class SharedHosts implements Hosting {
  readonly #options: readonly HostOptions[]
  readonly #parts: SharedHostsParts
  /** Names this process in the database. */
  readonly #server = randomUUID()
  readonly #elsewhere: ReadonlyMap<string, HostedQueue>
  readonly #keeper: TermKeeper
  readonly #questions: Questions
  readonly #release: () => Promise<void>
  /** Null while another server has the term. */
  #hosts: Hosts | null = null
  /** Another process uses the folder now. */
  #isFolderLost = false

  /** Throws `FolderInUse`: what is in the folder is for one process. */
  constructor(options: readonly HostOptions[], parts: SharedHostsParts) {
    const { pool, log, replica, logger, timers, folder } = parts
    this.#options = options
    this.#parts = parts
    this.#questions = new Questions({
      pool,
      timers,
      server: this.#server,
      isWorking: () => this.isWorking,
      answer: (text) => this.#answer(text),
    })
    this.#elsewhere = new Map(
      options.map((each) => [nameOfQueue(each.ref), elsewhere(each, (ask) => this.#ask(ask))]),
    )
    makeFolder(folder)
    const lock = holdLock(join(folder, 'lock'), () => {
      this.#isFolderLost = true
      this.#keeper.interrupt()
    })
    this.#release = () => lock.release()
    // Tests of a server that was killed here: another one has the term by now.
    killRunsIn(resolve(folder))
    this.#keeper = workInTerm({
      database: log,
      enter: replica.enter,
      timers,
      terms: sharedTerms(pool, hostsTerm),
      server: this.#server,
      isAble: () => replica.isCurrent && !this.#isFolderLost,
      begin: (committed) => this.#begin(committed),
      onFault: (error, what) => logger.error({ err: error }, faults[what]),
    })
  }

  /** True while this server works on the repositories. */
  get isWorking(): boolean {
    return this.#hosts !== null
  }

  /** Webhooks of code hosts, which may reach any server. */
  get hooks(): readonly HookPorts[] {
    const passOn = (passed: PassedNotification): void =>
      void this.#ask({ asks: 'notify', ...passed }).catch(() => undefined)
    return passingOn(this.#parts.hooks, () => this.isWorking, passOn)
  }

  of(queue: string): HostedQueue | null {
    return this.#hosts?.of(queue) ?? this.#elsewhere.get(queue) ?? null
  }

  get all(): Iterable<HostedQueue> {
    return (this.#hosts ?? { all: this.#elsewhere.values() }).all
  }

  /** Settles when the queues are there. */
  async start(): Promise<void> {
    const { replica, logger } = this.#parts
    for (const each of this.#options) {
      const start = (manager: QueueManager): Promise<void> =>
        startQueue({ queues: queuesOf(manager), logger }, each)
      await replica.enter('write', start)
    }
    this.#keeper.start()
    this.#questions.start()
  }

  /** Ends the runs in progress; settles when another server can go on. */
  async stop(): Promise<void> {
    await this.#keeper.stop()
    await this.#questions.stop()
    await this.#release()
  }

  #ask(question: Question): Promise<string | null> {
    return this.#questions.ask(JSON.stringify(question))
  }

  /** Rejects if this server does not work any more: the next one takes the question. */
  async #answer(text: string): Promise<string> {
    const question: Question = JSON.parse(text)
    if (question.asks === 'notify') {
      notify(this.#parts.hooks, question)
      return ''
    }
    const hosted = this.#hosts?.of(question.queue)
    const answer = hosted && JSON.stringify(await answered(hosted, question))
    // A server that could not report to the queue has no answer.
    if (answer === undefined || answer === null || !this.#keeper.isSure) throw new OutOfTerm()
    return answer
  }

  async #begin(committed: Committed): Promise<Work> {
    const { folder, readReports, codeHosts, now, logger, pool } = this.#parts
    const hosts = await Hosts.open(this.#options, {
      folder,
      readReports,
      now,
      logger,
      isStart: false,
      ...(codeHosts ? { codeHosts } : {}),
      queues: sharedQueues(committed),
      notesOf: (queue, kind) => sharedNotes(pool, { queue, kind }, this.#server),
    })
    this.#hosts = hosts
    logger.info('this server works on the repositories')
    return { close: () => this.#end(hosts) }
  }

  async #end(hosts: Hosts): Promise<void> {
    this.#hosts = null
    await hosts.close()
    this.#parts.logger.info('this server does not work on the repositories any more')
  }
}

// Webhooks of code hosts, which reach any server. What they say is passed on to the one that works there. A
// lost one is no harm: the next poll sees the same.

type PassedNotification = { readonly path: string; readonly notification: NamedNotification }

/** The same webhooks, for a server that may not be the one that works. */
function passingOn(
  own: readonly HookPorts[],
  isWorking: () => boolean,
  passOn: (passed: PassedNotification) => void,
): HookPorts[] {
  return own.map((each) => ({
    ...each,
    notify: (repository, notification) => {
      if (isWorking()) each.notify(repository, notification)
      else passOn({ path: each.path, notification: { ...notification, repository } })
    },
  }))
}

/** Handles what was passed on to this server. */
function notify(own: readonly HookPorts[], { path, notification }: PassedNotification): void {
  own.find((each) => each.path === path)?.notify(notification.repository, notification)
}

// A queue whose repository another server works on now: that one is asked, and answers in words of JSON.

type HostQuestion = { readonly queue: string } & (
  | {
      readonly asks: 'card'
      readonly number: PullRequestNumber
      readonly dependsOn?: readonly PullRequestNumber[] | undefined
    }
  | { readonly asks: 'open'; readonly branch: string }
  | { readonly asks: 'log'; readonly run: TestRunId }
  | { readonly asks: 'seen' }
)

/** Asks the server that works; null if there was no answer in time. */
type AskElsewhere = (question: HostQuestion) => Promise<string | null>

const unanswered: HostRefusal = {
  status: 503,
  text: 'no server works on this repository now: ask again',
  retryAfter: 1,
}

function elsewhere({ ref, url, tests, codeHost }: HostOptions, ask: AskElsewhere): HostedQueue {
  const queue = nameOfQueue(ref)
  const answerTo = async <Value>(question: HostQuestion): Promise<HostAnswer<Value>> => {
    const text = await ask(question).catch(() => null)
    if (text === null) return { refused: unanswered }
    const found: HostAnswer<Value> = JSON.parse(text)
    return found
  }
  return {
    ref,
    testsItself: tests.kind !== 'external',
    pageOf: (number) => (codeHost ? pageOfPull(codeHost, number) : null),
    refusalOf: () => null,
    snapshotOf: (number, dependsOn) => answerTo({ queue, asks: 'card', number, dependsOn }),
    open: (branch) => answerTo({ queue, asks: 'open', branch }),
    logOf: (run) => answerTo({ queue, asks: 'log', run }),
    seen: () => answerTo({ queue, asks: 'seen' }),
    commitOf: () => null,
    status: () => ({ url: withoutCredentials(url), lastLookAt: null, faults: [] }),
  }
}

/** What the server that works answers. */
function answered(hosted: HostedQueue, question: HostQuestion): Promise<HostAnswer<unknown>> {
  switch (question.asks) {
    case 'card':
      return hosted.snapshotOf(question.number, question.dependsOn)
    case 'open':
      return hosted.open(question.branch)
    case 'log':
      return hosted.logOf(question.run)
    case 'seen':
      return hosted.seen()
  }
}
