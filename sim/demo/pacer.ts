/** The clock of the demo: scenario time, which runs `speed` times as fast as real time. */

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

  /** The current scenario time. */
  get now(): Millis {
    return Math.round((performance.now() - this.#startedAt) * this.#speed)
  }

  /** Calls `work` at this instant of scenario time, or at once if it has passed. */
  at(instant: Millis, work: () => Promise<void>): void {
    const waitMs = Math.max(0, (instant - this.now) / this.#speed)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work().catch(this.#onFault)
    }, waitMs)
    this.#timers.add(timer)
  }

  /** Cancels all planned work. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
