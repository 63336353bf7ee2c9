/** Random draws of a forecast. The same seed gives the same draws, so a forecast can be repeated. */

import seedrandom from 'seedrandom'

export class Draws {
  readonly #next: () => number

  constructor(seed: string) {
    this.#next = seedrandom.tychei(seed)
  }

  /** Uniform over 0 (included) to 1 (excluded). */
  unit(): number {
    return this.#next()
  }

  chance(rate: number): boolean {
    return this.#next() < rate
  }

  /** One of the items, each as probable as any other; undefined if there is none. */
  oneOf<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.#next() * items.length)]
  }

  exponential(mean: number): number {
    return -Math.log(1 - this.#next()) * mean
  }

  /** A rate that is not known for sure: `hits` and `misses` have been seen, each may be a fraction. */
  rate(hits: number, misses: number): number {
    const hit = this.gamma(hits)
    return hit / (hit + this.gamma(misses))
  }

  /** Gamma with this shape above 0 and mean `shape`, by the method of Marsaglia and Tsang. */
  gamma(shape: number): number {
    if (shape < 1) return this.gamma(shape + 1) * (1 - this.#next()) ** (1 / shape)
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const normal = this.#normal()
      const v = (1 + c * normal) ** 3
      if (v <= 0) continue
      const log = Math.log(1 - this.#next())
      if (log < 0.5 * normal * normal + d - d * v + d * Math.log(v)) return d * v
    }
  }

  #normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.#next()))
    return radius * Math.cos(2 * Math.PI * this.#next())
  }
}
