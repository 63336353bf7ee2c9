/**
 * Simulated time for code that awaits: what is due happens in order of time, and between two of them every
 * promise that can settle does. So a seed always goes the same way.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import TinyQueue from 'tinyqueue'

type Due = { readonly atMs: number; readonly order: number; readonly act: () => void }

export class SimulatedTime {
  readonly #due = new TinyQueue<Due>(
    [],
    (one, other) => one.atMs - other.atMs || one.order - other.order,
  )
  #nowMs = 0
  #order = 0

  get nowMs(): number {
    return this.#nowMs
  }

  /** Returns a function that takes it back. */
  after(ms: number, act: () => void): () => void {
    let isWanted = true
    this.#order++
    const atMs = this.#nowMs + Math.max(0, ms)
    this.#due.push({ atMs, order: this.#order, act: () => isWanted && act() })
    return () => {
      isWanted = false
    }
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.after(ms, resolve))
  }

  /** Settles when nothing is left that is due up to this time. */
  async runUntil(endMs: number): Promise<void> {
    for (;;) {
      const next = this.#due.peek()
      if (next === undefined || next.atMs > endMs) break
      this.#due.pop()
      this.#nowMs = next.atMs
      next.act()
      // Everything that only waits for promises has happened afterwards.
      await nextTurn()
    }
    this.#nowMs = endMs
  }
}
