/**
 * The engine of one queue: it receives commands, returns events, and instructs the ports.
 */

import { beingMerged } from './model/merging.ts'
import type { Queue, QueueView } from './model/state.ts'
import type { Ports } from './ports.ts'
import type { Command } from './protocol/commands.ts'
import type { Event } from './protocol/events.ts'
import { engineParts, runCommand, type CommandOutcome, type EngineParts } from './run-command.ts'

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
