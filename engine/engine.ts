/**
 * The engine as the world sees it: commands in, events out, instructions to the ports.
 */

import type { Queue, QueueView } from './model/state.ts'
import type { Ports } from './ports.ts'
import type { Command } from './protocol/commands.ts'
import type { Event } from './protocol/events.ts'
import { parts, runCommand, type Outcome, type Parts } from './run-command.ts'

/** Hears every accepted command, with what came of it, before the ports do. */
export type Reader = (command: Command, events: readonly Event[]) => void

export class Engine {
  readonly #queue: Queue
  readonly #ports: Ports
  readonly #parts: Parts
  readonly #readers: Reader[] = []
  #isBusy = false

  /** Takes over `queue`: nobody else may change it from now on. `made` is for test harnesses. */
  constructor(queue: Queue, ports: Ports, made: Parts = parts) {
    this.#queue = queue
    this.#ports = ports
    this.#parts = made
  }

  get queue(): QueueView {
    return this.#queue
  }

  subscribe(reader: Reader): void {
    this.#readers.push(reader)
  }

  /**
   * Runs one command to its end: events, then readers, then instructions to the ports.
   * Readers and ports must not dispatch from within; a port answers later, if only a moment.
   */
  dispatch(command: Command): Outcome {
    if (this.#isBusy) throw new Error(`${command.type} was dispatched from within a command`)
    this.#isBusy = true
    try {
      const outcome = runCommand(this.#queue, command, this.#parts)
      if (outcome.accepted) {
        for (const read of this.#readers) read(command, outcome.events)
        for (const event of outcome.events) this.#instruct(event)
      }
      return outcome
    } finally {
      this.#isBusy = false
    }
  }

  /** Tells the ports again what they may not have heard before a crash: runs, merges, the wake-up. */
  resume(): void {
    const { clock, testRunner, codeHost } = this.#ports
    for (const run of Object.values(this.#queue.testRuns)) testRunner.start(run)
    for (const id of this.#queue.line) {
      const phase = this.#queue.groups[id]?.phase
      if (phase?.kind === 'passed' && phase.merging !== null) codeHost?.merge(phase.merging)
    }
    if (this.#queue.wakeAt !== null) clock.wakeAt(this.#queue.wakeAt)
  }

  /** The whole state as JSON text; an engine made of the parsed text goes on exactly alike. */
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
    } else if (type === 'mergeRequested') codeHost?.merge(event.number)
    else if (type === 'wakeScheduled') clock.wakeAt(event.wakeAt)
  }
}
