/**
 * The register of a yard: its queues and the test cases of its repositories, as the entries of the
 * command log have made them.
 *
 * It reads no clock and writes no file. The same entries give the same register: on the server when
 * they happen, at its next start out of the log, and in the worker that makes snapshots.
 */

import type { Event, Millis, Rejection, TestRunId } from '../../engine/index.ts'
import { TestCases } from '../history/test-cases.ts'
import type { CreateQueue, EngineCommand, Entry, LinkTicket, RecordTestCases } from './commands.ts'
import { readTestRunId } from './ids.ts'
import { queueRefFrom, type QueueRef } from './queue-ref.ts'
import {
  externalWorld,
  makeQueue,
  restoreQueue,
  type QueuePorts,
  type World,
  type YardQueue,
  type YardQueueState,
} from './yard-queue.ts'

/** Why a command was refused before any engine saw it. */
export type YardRejection =
  | { readonly code: 'no such queue'; readonly queue: QueueRef }
  | { readonly code: 'queue exists'; readonly queue: QueueRef }
  | { readonly code: 'queue is not empty'; readonly count: number }
  | { readonly code: 'no such test case'; readonly testCase: string }

export type YardOutcome =
  | { readonly accepted: true; readonly at: Millis; readonly events: readonly Event[] }
  | { readonly accepted: false; readonly rejection: Rejection | YardRejection }

export type RegisterState = {
  /** The place in the command log of the last entry. */
  readonly sequence: number
  /** Its instant. */
  readonly at: Millis
  readonly queues: readonly YardQueueState[]
  readonly testCases: TestCases
}

export type RegisterPorts = {
  /** Send `wake` to that queue at this instant; earlier wishes stay valid. */
  readonly wakeAt: (queue: string, instant: Millis) => void
  readonly world?: World
}

export class Register {
  readonly testCases: TestCases
  readonly #queues = new Map<string, YardQueue>()
  readonly #byRunPrefix = new Map<string, YardQueue>()
  /** Queues whose engine has contradicted itself, and how. */
  readonly #broken = new Map<string, unknown>()
  readonly #ports: RegisterPorts
  #sequence: number
  #at: Millis

  constructor(ports: RegisterPorts, state: RegisterState | null = null) {
    this.#ports = ports
    this.#sequence = state?.sequence ?? 0
    this.#at = state?.at ?? 0
    this.testCases = state?.testCases ?? new TestCases()
    for (const each of state?.queues ?? []) this.#add(restoreQueue(each, this.#portsOf(each.name)))
  }

  get sequence(): number {
    return this.#sequence
  }

  /** What a queue made here has to say of its code host. */
  get codeHost(): Pick<CreateQueue, 'codeHost'> {
    return this.#ports.world?.codeHost ? { codeHost: 'answers' } : {}
  }

  get at(): Millis {
    return this.#at
  }

  get queues(): Iterable<YardQueue> {
    return this.#queues.values()
  }

  /** All there is to know, to be written down; it goes on changing with the next entry. */
  state(): RegisterState {
    const queues = [...this.#queues.values()].map((queue) => queue.state)
    return { sequence: this.#sequence, at: this.#at, queues, testCases: this.testCases }
  }

  /** The queue of that name. Throws where a fault of its engine has stopped it. */
  find(name: string): YardQueue | undefined {
    if (this.#broken.has(name)) {
      const cause = this.#broken.get(name)
      throw new Error(`${name} stands still after a fault; a restart brings it back`, { cause })
    }
    return this.#queues.get(name)
  }

  /** Whose test run this is, under way or over. */
  findTestRun(id: string): { readonly queue: YardQueue; readonly run: TestRunId } | null {
    const read = readTestRunId(id)
    const queue = read ? this.#byRunPrefix.get(read.prefix) : undefined
    return read && queue?.history.testRuns.has(read.run) ? { queue, run: read.run } : null
  }

  /** Takes the next entry. A refused one changes nothing. */
  apply(entry: Entry): YardOutcome {
    const outcome = this.#decide(entry)
    if (!outcome.accepted) return outcome
    this.#sequence = entry.sequence
    this.#at = entry.at
    return outcome
  }

  #decide({ at, queue: name, command }: Entry): YardOutcome {
    if (command.type === 'linkTicket') return this.#link(at, command)
    if (name === null) throw new Error(`${command.type} needs a queue`)
    if (command.type === 'createQueue') return this.#create(at, name, command)
    const queue = this.find(name)
    if (!queue) return refused({ code: 'no such queue', queue: queueRefFrom(name) })
    if (command.type === 'deleteQueue') return this.#delete(at, queue)
    if (command.type === 'recordTestCases') return this.#record(at, queue, command)
    return this.#dispatch(at, queue, command)
  }

  #link(at: Millis, { repository, testCase: id, ticket }: LinkTicket): YardOutcome {
    const testCase = this.testCases.find(repository, id)
    if (!testCase) return refused({ code: 'no such test case', testCase: id })
    testCase.ticket = { id: ticket, linkedAt: at }
    return done(at)
  }

  #create(at: Millis, name: string, command: CreateQueue): YardOutcome {
    const ref = queueRefFrom(name)
    if (this.find(name)) return refused({ code: 'queue exists', queue: ref })
    this.#add(makeQueue(ref, { ...command, at }, this.#portsOf(name)))
    return done(at)
  }

  #delete(at: Millis, queue: YardQueue): YardOutcome {
    const count = queue.places().size
    if (count > 0) return refused({ code: 'queue is not empty', count })
    this.#queues.delete(queue.name)
    this.#byRunPrefix.delete(queue.ids.testRun)
    return done(at)
  }

  #record(at: Millis, { ref }: YardQueue, { tests }: RecordTestCases): YardOutcome {
    for (const test of tests) this.testCases.record(ref, test)
    return done(at)
  }

  #dispatch(at: Millis, { name, engine }: YardQueue, command: EngineCommand): YardOutcome {
    try {
      const outcome = engine.dispatch({ ...command, at })
      return outcome.accepted ? done(at, outcome.events) : outcome
    } catch (fault) {
      // Its state is of no use any more; what is on disk is as it was before this command.
      this.#broken.set(name, fault)
      throw fault
    }
  }

  #add(queue: YardQueue): void {
    this.#queues.set(queue.name, queue)
    this.#byRunPrefix.set(queue.ids.testRun, queue)
  }

  #portsOf(name: string): QueuePorts {
    const { wakeAt, world = externalWorld } = this.#ports
    return {
      wakeAt: (instant) => wakeAt(name, instant),
      world,
      testCases: this.testCases,
    }
  }
}

function done(at: Millis, events: readonly Event[] = []): YardOutcome {
  return { accepted: true, at, events }
}

function refused(rejection: YardRejection): YardOutcome {
  return { accepted: false, rejection }
}
