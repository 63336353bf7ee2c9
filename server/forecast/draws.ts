/** Random draws of a forecast. The same seed gives the same draws, so a forecast can be repeated. */

import seedrandom from 'seedrandom'
import { firstIndex, type Millis } from '../../engine/index.ts'
import { standingFor } from '../terminal/percentile.ts'
import type { ObservedLength } from './observed.ts'

export class Draws {
  /** Uniform over 0 (included) to 1 (excluded). */
  readonly unit: () => number

  constructor(seed: string) {
    this.unit = seedrandom.tychei(seed)
  }

  chance(rate: number): boolean {
    return this.unit() < rate
  }

  /** One of the items, each as probable as any other; undefined if there is none. */
  oneOf<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.unit() * items.length)]
  }

  exponential(mean: number): number {
    return -Math.log(1 - this.unit()) * mean
  }

  /** A rate that is not known for sure: `hits` and `misses` have been seen, each may be a fraction. */
  rate(hits: number, misses: number): number {
    const hit = this.gamma(hits)
    return hit / (hit + this.gamma(misses))
  }

  /** Gamma with this shape above 0 and mean `shape`, by the method of Marsaglia and Tsang. */
  gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * (1 - this.unit()) ** (1 / shape)
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const normal = this.#normal()
      const v = (1 + c * normal) ** 3
      if (v <= 0) continue
      const log = Math.log(1 - this.unit())
      if (log < 0.5 * normal * normal + d - d * v + d * Math.log(v)) return d * v
    }
  }

  #normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.unit()))
    return radius * Math.cos(2 * Math.PI * this.unit())
  }
}

// Quantiles of a list, between neighbours in proportion.

/** Returns the value below which this share of the sorted values lies. Throws if there are none. */
export function quantile(sorted: readonly number[], share: number): number {
  return valueAt(sorted, share * (sorted.length - 1))
}

/**
 * Returns the value below which one more draw of the same kind lies in this share of cases. Throws if
 * there are no values. Of few draws it is further out than their quantile: the least and the greatest of
 * 20 leave out a tenth of what follows. Beyond the least and the greatest nothing is known.
 */
export function nextQuantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length + 1) - 1
  return valueAt(sorted, Math.min(sorted.length - 1, Math.max(0, place)))
}

function valueAt(sorted: readonly number[], place: number): number {
  const low = sorted[Math.floor(place)]
  const high = sorted[Math.ceil(place)]
  if (low === undefined || high === undefined) throw new Error('a quantile of nothing')
  // Infinity minus infinity is no number.
  return low === high ? low : low + (high - low) * (place - Math.floor(place))
}

export const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)

// How long a run takes that has lasted some time already. Cancelled runs count as longer than they
// lasted; without them long runs would be missing, because more of them are cancelled.

/** A run that outlasts nearly all others goes on for a share of this of its time, on average. */
const overrun = 0.3
const leastMs = 1000

export class Lengths {
  /** Ascending. */
  readonly #ms: number[] = []
  /** The share of runs that last at least as long as the entry. */
  readonly #reach: number[] = []

  constructor(observed: readonly ObservedLength[]) {
    const lengths = (wanted: boolean): number[] =>
      observed.flatMap(({ ms, isWhole }) => (isWhole === wanted ? [ms] : []))
    let left = observed.length
    for (const { value, count } of standingFor(lengths(true), lengths(false))) {
      this.#ms.push(value)
      this.#reach.push(left / observed.length)
      left -= count
    }
  }

  /** Draws the whole length of a run that has lasted `elapsed` so far; longer than that. */
  draw(elapsed: Millis, draws: Draws): Millis {
    const first = firstIndex(0, this.#ms.length, (index) => (this.#ms[index] ?? 0) > elapsed)
    const left = this.#reach[first] ?? 0
    const goal = left * draws.unit()
    // The runs that last longer than any that was whole, or than all but a few.
    if (first >= this.#ms.length - 1 && this.#ms.length > 1) {
      return Math.round(elapsed + Math.max(leastMs, draws.exponential(overrun * elapsed)))
    }
    const found = this.#ms[this.#lastReached(goal, first)] ?? elapsed
    return Math.max(elapsed, found)
  }

  /** The last entry that this share of runs reaches. */
  #lastReached(share: number, from: number): number {
    const isUnreached = (index: number): boolean => (this.#reach[index] ?? 0) <= share
    return firstIndex(from + 1, this.#ms.length, isUnreached) - 1
  }
}
