/** The time of the database between two rounds, by the clock of this server, which is not set. */

import type { Millis } from '../../engine/index.ts'

export class LogClock {
  readonly #clock: () => Millis
  #aheadMs = 0

  constructor(clock: () => Millis) {
    this.#clock = clock
  }

  /** The log was read at this time of the database. */
  note(now: Millis): void {
    this.#aheadMs = now - this.#clock()
  }

  readonly now = (): Millis => Math.floor(this.#clock() + this.#aheadMs)
}
