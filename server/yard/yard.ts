/**
 * The yard at work: takes commands, stamps them with an instant that never runs backwards, and
 * writes what was accepted to the command log.
 *
 * What has happened in memory is seen by nobody before it is on disk: whoever answers a request
 * waits for `durable` first, after a read as after a write.
 */

import type { Millis } from '../../engine/index.ts'
import { Announcer, type Reader } from './announcer.ts'
import type { Entry, YardCommand } from './commands.ts'
import { queueRefFrom } from './queue-ref.ts'
import type { Register, YardOutcome } from './register.ts'

export type YardPorts = {
  readonly now: () => Millis
  readonly log: {
    append(entry: Entry): void
    /** Settles once all that was appended is on disk; nothing to wait for: undefined. */
    durable(): Promise<void> | undefined
  }
}

export class Yard {
  readonly register: Register
  readonly #ports: YardPorts
  readonly #announcer: Announcer

  /** Takes over `register`: nobody else may change it from now on. Wakes its engines. */
  constructor(register: Register, ports: YardPorts) {
    this.register = register
    this.#ports = ports
    this.#announcer = new Announcer(() => ports.log.durable())
    for (const { engine } of register.queues) engine.resume()
  }

  /** Hears every command from now on, once it is durable. */
  subscribe(reader: Reader): void {
    this.#announcer.subscribe(reader)
  }

  /** Settles once everything that can be seen is on disk; nothing to wait for: undefined. */
  durable(): Promise<void> | undefined {
    return this.#ports.log.durable()
  }

  /**
   * Runs one command to its end, on a queue or on none. A refused one changes nothing and is not
   * logged; an accepted one is durable once `durable` has settled.
   */
  send(queue: string | null, command: YardCommand): YardOutcome {
    const sequence = this.register.sequence + 1
    const at = Math.max(this.#ports.now(), this.register.at)
    const entry: Entry = { sequence, at, queue, command }
    const outcome = this.register.apply(entry)
    if (!outcome.accepted) return outcome
    this.#ports.log.append(entry)
    const ref = queue === null ? null : queueRefFrom(queue)
    this.#announcer.announce({ sequence, at, queue: ref, command, events: outcome.events })
    return outcome
  }
}
