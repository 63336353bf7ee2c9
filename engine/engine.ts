/**
 * The engine of one queue: it receives commands, returns events, and instructs the ports.
 */

import { beingMerged } from './model/predecessors.ts'
import type {
  Queue,
  QueueView,
  Millis,
  PullRequestNumber,
  TestRun,
  TestRunId,
} from './model/state.ts'
import type { Command, CommandBody, Rejection } from './protocol/commands.ts'
import type { Event } from './protocol/events.ts'
import { decide } from './commands/index.ts'
import { evolve, type Rule, stepOn, type Evolve, type Step } from './evolve/step.ts'
import { rules } from './rules/index.ts'

/** Called for every accepted command with its events, before the ports are called. */
export type EngineSubscriber = (command: Command, events: readonly Event[]) => void

export class Engine {
  readonly #queue: Queue
  readonly #ports: Ports
  readonly #parts: EngineParts
  readonly #subscribers: EngineSubscriber[] = []
  #isBusy = false

  /**
   * Takes ownership of `queue`: the caller must not change it afterwards. Only test harnesses pass
   * `parts`.
   */
  constructor(queue: Queue, ports: Ports, parts: EngineParts = engineParts) {
    this.#queue = queue
    this.#ports = ports
    this.#parts = parts
  }

  /** The current state, read-only. Later commands change it. */
  get queue(): QueueView {
    return this.#queue
  }

  subscribe(subscriber: EngineSubscriber): void {
    this.#subscribers.push(subscriber)
  }

  /**
   * Runs one command to its end: first the events, then the subscribers, then the instructions to
   * the ports. Throws if a subscriber or a port dispatches a command from within; a port reports
   * its result later. Throws like `runCommand`.
   */
  dispatch(command: Command): CommandOutcome {
    if (this.#isBusy) throw new Error(`${command.type} was dispatched from within a command`)
    this.#isBusy = true
    try {
      const outcome = runCommand(this.#queue, command, this.#parts)
      if (outcome.accepted) {
        for (const notify of this.#subscribers) notify(command, outcome.events)
        for (const event of outcome.events) this.#instruct(event)
      }
      return outcome
    } finally {
      this.#isBusy = false
    }
  }

  /**
   * Repeats the instructions that a port may have missed because of a crash: the runs in progress,
   * the requested merges and the next wake-up.
   */
  resume(): void {
    const { clock, testRunner, codeHost } = this.#ports
    for (const run of Object.values(this.#queue.testRuns)) testRunner.start(run)
    for (const id of this.#queue.line) {
      const group = this.#queue.groups[id]
      const merging = group ? beingMerged(group) : []
      if (merging.length > 0) codeHost?.merge(merging)
    }
    if (this.#queue.wakeAt !== null) clock.wakeAt(this.#queue.wakeAt)
  }

  /** The complete state as JSON text. An engine made from the parsed text continues identically. */
  snapshot(): string {
    return JSON.stringify(this.#queue)
  }

  #instruct(event: Event): void {
    const { clock, testRunner, codeHost } = this.#ports
    const { type } = event
    if (type === 'testRunStarted') testRunner.start(event.run)
    else if (type === 'testRunCancelled') testRunner.cancel(event.testRun)
    else if (type === 'testRunFinished') {
      if (event.outcome === 'timed_out') testRunner.cancel(event.testRun)
    } else if (type === 'mergeRequested') codeHost?.merge(event.numbers ?? [event.number])
    else if (type === 'wakeScheduled') clock.wakeAt(event.wakeAt)
  }
}

// Runs one command: first its direct effect, then the rules until none acts. It has no side effect
// except on the queue it receives, so the same queue and the same command give the same events.

/** The replaceable parts of the engine. Only test harnesses replace them, to inject defects. */
export type EngineParts = {
  readonly decide: (step: Step, command: CommandBody) => Rejection | null
  readonly rules: readonly Rule[]
  readonly evolve: Evolve
}

export const engineParts: EngineParts = { decide, rules: Object.values(rules), evolve }

export type CommandOutcome =
  | { readonly accepted: true; readonly events: readonly Event[] }
  | { readonly accepted: false; readonly rejection: Rejection }

/**
 * Runs one command on `queue` and changes it. Returns the events in order, or the rejection; a
 * rejected command changes nothing. Throws if the command is earlier than the last accepted one
 * (an error of the caller) or if the engine contradicts itself (an error of the engine). The queue
 * must not be used after an exception.
 */
export function runCommand(
  queue: Queue,
  command: Command,
  parts: EngineParts = engineParts,
): CommandOutcome {
  if (command.at < queue.now) {
    throw new Error(`time runs backwards: ${command.at} ms after ${queue.now} ms`)
  }
  const before = queue.now
  queue.now = command.at
  const events: Event[] = []
  const step = stepOn(queue, command.at, events, parts.evolve)
  const rejection = parts.decide(step, command)
  if (rejection) {
    queue.now = before
    return { accepted: false, rejection }
  }
  settle(step, parts.rules)
  return { accepted: true, events }
}

/** With more actions than this per pull request and slot, the rules do not terminate. */
const actionsPerPullRequest = 100

/** Tries the rules in order, and starts over whenever one returns true, until none does. */
function settle(step: Step, inOrder: readonly Rule[]): void {
  const { queue } = step
  const candidates = 1 + pullRequestsIn(queue) + queue.configuration.concurrency
  const bound = actionsPerPullRequest * candidates
  for (let actions = 0; actions < bound; actions++) {
    if (!applyFirst(step, inOrder)) return
  }
  throw new Error(`the rules still act after ${bound} actions`)
}

/** The members of a batch are merged, or set apart, one after the other. */
function pullRequestsIn({ order, line, groups, bisections }: QueueView): number {
  let count = order.pending + order.unready
  for (const id of line) count += groups[id]?.members.length ?? 0
  for (const { proven, open } of bisections) count += proven.length + open.length
  return count
}

/** Tries the rules in order until one returns true. Returns false if none does. */
function applyFirst(step: Step, inOrder: readonly Rule[]): boolean {
  for (const rule of inOrder) {
    if (rule(step)) return true
  }
  return false
}

// The interfaces through which the engine acts on the outside. The server and the simulator differ
// only in these and in the source of the commands.

export type Clock = {
  /** Send `wake` at this instant or as soon as possible after it. Earlier requests stay valid. */
  wakeAt(instant: Millis): void
}

/**
 * Starts and cancels test runs. It reports the result of a run with `finishTestRun`, at any later
 * time or never. It must accept a second start of the same run, because after a crash the engine
 * cannot know whether the first one arrived. A result of a cancelled run is rejected and has no
 * effect.
 */
export type TestRunner = {
  start(run: TestRun): void
  cancel(testRun: TestRunId): void
}

/**
 * Merges pull requests and reports with `finishMerge`. It must accept a repeated request. With
 * `codeHost: 'groups'` it is asked for all members of a group, which land in one push, else for one.
 */
export type CodeHost = {
  merge(numbers: readonly PullRequestNumber[]): void
}

export type Ports = {
  readonly clock: Clock
  readonly testRunner: TestRunner
  /** Needed only by a queue that waits for the answers of a code host (`answers` or `groups`). */
  readonly codeHost?: CodeHost
}
