/**
 * How long a run takes that has lasted some time already. Cancelled runs count as longer than they
 * lasted (Kaplan and Meier); without them long runs would be missing, because more of them are cancelled.
 */

import type { Millis } from '../../engine/index.ts'
import type { Draws } from './draws.ts'
import type { ObservedLength } from './observed.ts'

/** A run that outlasts nearly all others goes on for a share of this of its time, on average. */
const overrun = 0.3
const leastMs = 1000

export class Lengths {
  /** Ascending. */
  readonly #ms: number[] = []
  /** The share of runs that last at least as long as the entry. */
  readonly #reach: number[] = []

  constructor(observed: readonly ObservedLength[]) {
    const sorted = [...observed].sort(
      (a, b) => a.ms - b.ms || Number(b.isWhole) - Number(a.isWhole),
    )
    let reach = 1
    for (const [index, { ms, isWhole }] of sorted.entries()) {
      if (!isWhole) continue
      this.#ms.push(ms)
      this.#reach.push(reach)
      reach *= 1 - 1 / (sorted.length - index)
    }
  }

  /** Draws the whole length of a run that has lasted `elapsed` so far; longer than that. */
  draw(elapsed: Millis, draws: Draws): Millis {
    const first = this.#firstAbove(elapsed)
    const left = this.#reach[first] ?? 0
    const goal = left * draws.unit()
    // The runs that last longer than any that was whole, or than all but a few.
    if (first >= this.#ms.length - 1 && this.#ms.length > 1) {
      return Math.round(elapsed + Math.max(leastMs, draws.exponential(overrun * elapsed)))
    }
    const found = this.#ms[this.#lastReached(goal, first)] ?? elapsed
    return Math.max(elapsed, found)
  }

  #firstAbove(elapsed: Millis): number {
    let [low, high] = [0, this.#ms.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ms[middle] ?? 0) > elapsed) high = middle
      else low = middle + 1
    }
    return low
  }

  /** The last entry that this share of runs reaches. */
  #lastReached(share: number, from: number): number {
    let [low, high] = [from, this.#ms.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#reach[middle] ?? 0) > share) low = middle
      else high = middle - 1
    }
    return low
  }
}
