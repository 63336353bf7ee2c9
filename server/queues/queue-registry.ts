/**
 * All queues and test cases of a server: the state that the entries of the command log result in.
 *
 * The registry reads no clock and writes no file. The same entries give the same registry: on the
 * running server, at its next start from the log, and in the worker that makes snapshots.
 */

import type {
  Actor,
  CreateQueue,
  EngineCommand,
  LogEntry,
  LinkTicket,
  Millis,
  RecordTestCases,
  TestRunId,
  Event,
  Rejection,
} from '../../engine/index.ts'
import { TestCases } from '../history/test-cases.ts'
import { readTestRunId, testRunId } from '../identity/ids.ts'
import { queueRefFrom, type QueueRef } from '../identity/queue-ref.ts'
import {
  apiOnlyIntegrations,
  makeQueue,
  restoreQueue,
  type QueuePorts,
  type Integrations,
  type ManagedQueue,
  type ManagedQueueState,
} from './managed-queue.ts'
import type { Notice } from '../notices/queue-notices.ts'

export type RegistryState = {
  /** The position of the last entry in the command log. */
  readonly sequence: number
  /** The instant of the last entry. */
  readonly at: Millis
  readonly queues: readonly ManagedQueueState[]
  readonly testCases: TestCases
  /** The epochs of the log so far, oldest first. */
  readonly epochs: readonly string[]
}

export type RegistryPorts = {
  /** Requests a `wake` for that queue at this instant. Earlier requests stay valid. */
  readonly wakeAt: (queue: string, instant: Millis) => void
  readonly integrations?: Integrations
}

/** For who only reads a log. */
export const noWakes: RegistryPorts = { wakeAt: () => undefined }

/** A command as the engine and its subscribers get it. */
type SentCommand = EngineCommand & { readonly at: Millis; readonly by?: Actor }

export class QueueRegistry {
  readonly testCases: TestCases
  readonly #queues = new Map<string, ManagedQueue>()
  readonly #byIdStart = new Map<string, ManagedQueue>()
  /** Queues that stopped after an internal error of their engine, with that error. */
  readonly #broken = new Map<string, unknown>()
  readonly #ports: RegistryPorts
  /** The last one is the current epoch. */
  readonly #epochs: Set<string>
  #epoch: string | null
  #sequence: number
  #at: Millis

  constructor(ports: RegistryPorts, state: RegistryState | null = null) {
    this.#ports = ports
    this.#sequence = state?.sequence ?? 0
    this.#at = state?.at ?? 0
    this.#epochs = new Set(state?.epochs)
    this.#epoch = state?.epochs.at(-1) ?? null
    this.testCases = state?.testCases ?? new TestCases()
    for (const each of state?.queues ?? []) this.#add(restoreQueue(each, this.#portsOf(each.name)))
  }

  get sequence(): number {
    return this.#sequence
  }

  /** The epoch of the next command; null before there were epochs. */
  get epoch(): string | null {
    return this.#epoch
  }

  /** The later entries are of this epoch. Each segment of the log names its own, and in a shared log an entry does. */
  beginEpoch(epoch: string): void {
    this.#epochs.add(epoch)
    this.#epoch = epoch
  }

  hasEpoch(epoch: string): boolean {
    return this.#epochs.has(epoch)
  }

  /** The code host field of the command that creates a queue on this server. */
  get codeHost(): Pick<CreateQueue, 'codeHost'> {
    return this.#ports.integrations?.codeHost ? { codeHost: 'answers' } : {}
  }

  get at(): Millis {
    return this.#at
  }

  get queues(): Iterable<ManagedQueue> {
    return this.#queues.values()
  }

  /** Those that take commands. */
  get running(): ManagedQueue[] {
    return [...this.#queues.values()].filter(({ name }) => !this.#broken.has(name))
  }

  /** What to say of each queue that takes no command any more. */
  get stopped(): string[] {
    return Array.from(this.#broken.keys(), stoppedWords)
  }

  /** False if a queue has stopped after an internal error: its state may hold half of a command. */
  get isWhole(): boolean {
    return this.#broken.size === 0
  }

  /** The complete state, to be serialized at once: the next entry changes it. */
  state(): RegistryState {
    const queues = [...this.#queues.values()].map((queue) => queue.state)
    const { sequence, at, testCases } = this
    return { sequence, at, queues, testCases, epochs: [...this.#epochs] }
  }

  /** Returns the queue of that name. Throws if it stopped after an internal error. */
  find(name: string): ManagedQueue | undefined {
    this.refuseStopped(name)
    return this.findAny(name)
  }

  /** Throws if the queue stopped after an internal error. */
  refuseStopped(name: string): void {
    if (!this.#broken.has(name)) return
    throw new Error(stoppedWords(name), { cause: this.#broken.get(name) })
  }

  /** For timers and subscribers, in which nobody would catch what `find` throws: undefined if it stopped. */
  findRunning(name: string): ManagedQueue | undefined {
    return this.#broken.has(name) ? undefined : this.findAny(name)
  }

  /** Also one that stopped: of that one, only what never changes may be read, such as its ids. */
  findAny(name: string): ManagedQueue | undefined {
    return this.#queues.get(name)
  }

  /** Finds a test run by its id, in progress or finished. */
  findTestRun(id: string): { readonly queue: ManagedQueue; readonly run: TestRunId } | null {
    const read = readTestRunId(id)
    const queue = read ? this.#byIdStart.get(read.start) : undefined
    if (!read || !queue?.history.testRuns.has(read.run)) return null
    return testRunId(queue.ids, read.run) === read.id ? { queue, run: read.run } : null
  }

  /**
   * The epoch of a run id that was handed out in hours which this log does not have: the data was
   * restored from an older copy. Null for any other id that is not known.
   */
  lostEpochOf(id: string): string | null {
    const read = readTestRunId(id)
    if (!read || read.epoch === null) return null
    const { epoch, run, start } = read
    if (!this.#epochs.has(epoch)) return epoch
    const queue = this.#byIdStart.get(start)
    if (!queue) return null
    const isOfAnother = testRunId(queue.ids, run) !== read.id
    const isLater = run > queue.engine.queue.last.testRun && epoch !== this.#epoch
    return isOfAnother || isLater ? epoch : null
  }

  /** Applies the next entry. A rejected entry changes nothing. Throws if an engine fails. */
  apply(entry: LogEntry): ManagerOutcome {
    const before = this.#epoch
    this.#epoch = entry.epoch ?? before
    const outcome = this.#decide(entry)
    if (!outcome.accepted) {
      this.#epoch = before
      return outcome
    }
    if (entry.epoch !== undefined) this.beginEpoch(entry.epoch)
    this.#sequence = entry.sequence
    this.#at = entry.at
    return outcome
  }

  #decide({ at, queue: name, command, by }: LogEntry): ManagerOutcome {
    if (command.type === 'linkTicket') return this.#link(at, command)
    if (name === null) throw new Error(`${command.type} needs a queue`)
    if (command.type === 'createQueue') return this.#create(at, name, command)
    const queue = this.find(name)
    if (!queue) return rejected({ code: 'no such queue', queue: queueRefFrom(name) })
    if (command.type === 'deleteQueue') return this.#delete(at, queue)
    if (command.type === 'recordTestCases') return this.#record(at, queue, command)
    if (command.type === 'reportTip') {
      queue.history.tips.set(queue.engine.queue.tip.number, command.commit)
      return done(at)
    }
    return this.#dispatch(queue, { ...command, at, ...(by === undefined ? {} : { by }) })
  }

  #link(at: Millis, { repository, testCase: id, ticket }: LinkTicket): ManagerOutcome {
    const testCase = this.testCases.find(repository, id)
    if (!testCase) return rejected({ code: 'no such test case', testCase: id })
    testCase.ticket = { id: ticket, linkedAt: at }
    return done(at)
  }

  #create(at: Millis, name: string, command: CreateQueue): ManagerOutcome {
    const ref = queueRefFrom(name)
    if (this.find(name)) return rejected({ code: 'queue exists', queue: ref })
    const queue = makeQueue(ref, { ...command, at }, this.#portsOf(name))
    this.#add(queue)
    return done(at, [], [queue.notices.ofQueue('created')])
  }

  #delete(at: Millis, queue: ManagedQueue): ManagerOutcome {
    const count = queue.positions().size
    if (count > 0) return rejected({ code: 'queue is not empty', count })
    this.#queues.delete(queue.name)
    this.#byIdStart.delete(queue.ids.start)
    return done(at, [], [queue.notices.ofQueue('deleted')])
  }

  #record(at: Millis, { ref }: ManagedQueue, { tests }: RecordTestCases): ManagerOutcome {
    for (const test of tests) this.testCases.record(ref, test)
    return done(at)
  }

  #dispatch({ name, engine, notices }: ManagedQueue, command: SentCommand): ManagerOutcome {
    try {
      const outcome = engine.dispatch(command)
      return outcome.accepted ? done(command.at, outcome.events, notices.latest) : outcome
    } catch (fault) {
      // The state in memory is unusable now. The log on disk ends before this command.
      this.#broken.set(name, fault)
      throw fault
    }
  }

  #add(queue: ManagedQueue): void {
    this.#queues.set(queue.name, queue)
    this.#byIdStart.set(queue.ids.start, queue)
  }

  #portsOf(name: string): QueuePorts {
    const { wakeAt, integrations = apiOnlyIntegrations } = this.#ports
    return {
      wakeAt: (instant) => wakeAt(name, instant),
      integrations,
      testCases: this.testCases,
      epoch: () => this.#epoch,
    }
  }
}

const stoppedWords = (name: string): string =>
  `${name} stopped after an internal error; restart the server to resume it`

// What became of a command that was sent to a queue, or to the server.

/** Why a command was rejected before it reached an engine. */
export type ManagerRejection =
  | { readonly code: 'no such queue'; readonly queue: QueueRef }
  | { readonly code: 'queue exists'; readonly queue: QueueRef }
  | { readonly code: 'queue is not empty'; readonly count: number }
  | { readonly code: 'no such test case'; readonly testCase: string }

export type ManagerOutcome =
  | {
      readonly accepted: true
      readonly at: Millis
      readonly events: readonly Event[]
      /** What webhooks tell about it. */
      readonly notices: readonly Notice[]
    }
  | { readonly accepted: false; readonly rejection: Rejection | ManagerRejection }

export function done(
  at: Millis,
  events: readonly Event[] = [],
  notices: readonly Notice[] = [],
): ManagerOutcome {
  return { accepted: true, at, events, notices }
}

function rejected(rejection: ManagerRejection): ManagerOutcome {
  return { accepted: false, rejection }
}
