/** The demo's time: the scenario's, so many times as fast as the clock on the wall. */

import type { Millis } from '../../engine/index.ts'

export class Pace {
  readonly #speed: number
  readonly #onFault: (error: unknown) => void
  readonly #startedAt = performance.now()
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(speed: number, onFault: (error: unknown) => void) {
    this.#speed = speed
    this.#onFault = onFault
  }

  /** In the scenario's time. */
  get now(): Millis {
    return Math.round((performance.now() - this.#startedAt) * this.#speed)
  }

  /** Does it at that instant of the scenario, or at once where that is over. */
  at(instant: Millis, work: () => Promise<void>): void {
    const waitMs = Math.max(0, (instant - this.now) / this.#speed)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work().catch(this.#onFault)
    }, waitMs)
    this.#timers.add(timer)
  }

  /** Nothing that was planned happens any more. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
