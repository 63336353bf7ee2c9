/**
 * Wakes queues in time. Each server wakes at the instant that it knows of, and looks once a second whether
 * another server has written a wish and is not there any more. Two servers that ring at once write one
 * entry, because the second finds that nothing is due.
 */

import type { Timers } from '../timing/timers.ts'
import type { Replica } from './replica.ts'

export const sweepMs = 1_000

export type Wakeable = Pick<Replica, 'look' | 'wakeDue'>

export class Waker {
  readonly #replica: Wakeable
  readonly #timers: Timers
  #stopSweep: () => void = () => undefined
  #stopRing: () => void = () => undefined

  constructor(replica: Wakeable, timers: Timers) {
    this.#replica = replica
    this.#timers = timers
  }

  start(): void {
    this.#stopSweep = this.#timers.after(sweepMs, () => {
      // If the database cannot be reached, the next sweep tries again.
      this.#replica.look().catch(() => undefined)
      this.start()
    })
  }

  stop(): void {
    this.#stopSweep()
    this.#stopRing()
  }

  /** Takes note of when the next queue is due; it replaces what was known. */
  note(inMs: number | null): void {
    this.#stopRing()
    // What is due later is seen by a later sweep.
    if (inMs === null || inMs > sweepMs) return
    this.#stopRing = this.#timers.after(Math.max(0, inMs), () => {
      this.#replica.wakeDue().catch(() => undefined)
    })
  }
}
