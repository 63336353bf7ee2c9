/** What has merged, in order, as the API lists it: a run's composition stands on so much of it. */

import type { Api, Left, RunDetails } from './api.ts'

/** What a test run holds, from the tip up. */
export type Composition = {
  /** How many had merged when it was put together. */
  readonly tip: number
  readonly base: readonly number[]
  readonly tested: readonly number[]
}

export class Merges {
  readonly #api: Api
  readonly #order: Left[] = []
  readonly #onMerge: (number: number) => void
  /** The last run of each pull request on the main line: a bisection stays where that one stood. */
  readonly #mainRuns = new Map<number, Composition>()
  #lookingUp: Promise<void> = Promise.resolve()

  constructor(api: Api, onMerge: (number: number) => void) {
    this.#api = api
    this.#onMerge = onMerge
  }

  /** What the run tests. */
  async compositionOf(run: RunDetails): Promise<Composition> {
    // One after the other: each goes on where the one before has stopped.
    this.#lookingUp = this.#lookingUp.then(() => this.#lookUp())
    await this.#lookingUp
    const tested = run.testedPullRequests.map(({ prNumber }) => prNumber)
    const base = run.dependentPrs
    const batch = run.isBisection ? this.#mainRuns.get(tested[0] ?? 0) : undefined
    if (batch) return this.#inBisection(batch, base, tested)
    const tip = this.#order.filter(({ stateChangedAt }) => stateChangedAt <= run.createdAt).length
    const composition = { tip, base, tested }
    for (const number of tested) this.#mainRuns.set(number, composition)
    return composition
  }

  /** Pinned to the tip of its batch, on which its own members may have merged since. */
  #inBisection(
    { tip, tested: members }: Composition,
    base: readonly number[],
    tested: readonly number[],
  ): Composition {
    const since = this.#order
      .slice(tip)
      .map(({ prNumber }) => prNumber)
      .filter((number) => members.includes(number) && !base.includes(number))
    return { tip, base: [...since, ...base], tested }
  }

  async #lookUp(): Promise<void> {
    const fresh: Left[] = []
    const last = this.#order.at(-1)
    for await (const left of this.#api.merged()) {
      if (left.prNumber === last?.prNumber && left.stateChangedAt === last.stateChangedAt) break
      fresh.push(left)
    }
    for (const left of fresh.reverse()) {
      this.#order.push(left)
      this.#onMerge(left.prNumber)
    }
  }
}
