/**
 * The event stream as readers outside the yard hear it: every accepted command of every queue, in
 * order, with what came of it, and not before it is durable. What was told to somebody must not be
 * undone by a loss of power.
 */

import type { Event, Millis } from '../../engine/index.ts'
import type { YardCommand } from './commands.ts'
import type { QueueRef } from './queue-ref.ts'

export type Happening = {
  /** From 1, without a gap: the place in the command log. */
  readonly sequence: number
  readonly at: Millis
  /** Null for what belongs to no queue. */
  readonly queue: QueueRef | null
  readonly command: YardCommand
  readonly events: readonly Event[]
}

/** Must not throw, and must not send commands from within. */
export type Reader = (happening: Happening) => void

/** Settles once all that was said so far is on disk; nothing to wait for: undefined. */
export type Durable = () => Promise<void> | undefined

export class Announcer {
  readonly #durable: Durable
  readonly #readers: Reader[] = []
  readonly #untold: Happening[] = []

  constructor(durable: Durable) {
    this.#durable = durable
  }

  subscribe(reader: Reader): void {
    this.#readers.push(reader)
  }

  announce(happening: Happening): void {
    if (this.#readers.length === 0) return
    this.#untold.push(happening)
    if (this.#untold.length === 1) this.#tellWhenDurable()
  }

  #tellWhenDurable(): void {
    const upTo = this.#untold.length
    const durable = this.#durable()
    if (durable) {
      // What could not be written is told to nobody; the server stops over it.
      durable.then(() => this.#tell(upTo)).catch(() => undefined)
    } else this.#tell(upTo)
  }

  #tell(count: number): void {
    for (const happening of this.#untold.splice(0, count)) {
      for (const read of this.#readers) read(happening)
    }
    if (this.#untold.length > 0) this.#tellWhenDurable()
  }
}
