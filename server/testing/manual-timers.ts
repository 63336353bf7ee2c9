/** Timers whose time advances only when a test calls `advance`. */

import type { Millis } from '../../engine/index.ts'
import type { Timers } from '../timing/timers.ts'

type Wait = { readonly due: Millis; readonly run: () => void }

export class ManualTimers implements Timers {
  #now: Millis = 0
  readonly #waits = new Set<Wait>()

  readonly now = (): Millis => this.#now

  readonly after = (waitMs: Millis, run: () => void): (() => void) => {
    const wait = { due: this.#now + waitMs, run }
    this.#waits.add(wait)
    return () => void this.#waits.delete(wait)
  }

  /** The remaining time of each timer, shortest first. */
  get waits(): Millis[] {
    return [...this.#waits].map(({ due }) => due - this.#now).sort((a, b) => a - b)
  }

  /** Advances the time and runs the timers that are due. */
  advance(by: Millis): void {
    this.#now += by
    for (const wait of [...this.#waits]) {
      if (wait.due > this.#now) continue
      this.#waits.delete(wait)
      wait.run()
    }
  }
}
