/** Finds out which pull requests had merged when a test run started, by means of the API. */

import type { Api, LeftPullRequest, RunDetails } from './api.ts'

/** The contents of a test run, from the tip up. */
export type RunContents = {
  /** The number of pull requests that had merged when the run was created. */
  readonly tip: number
  readonly base: readonly number[]
  readonly tested: readonly number[]
}

export class Merges {
  readonly #api: Api
  readonly #order: LeftPullRequest[] = []
  readonly #onMerge: (number: number) => void
  /** The last main run of each pull request. A bisection keeps the tip of that run. */
  readonly #mainRuns = new Map<number, RunContents>()
  #lookingUp: Promise<void> = Promise.resolve()

  constructor(api: Api, onMerge: (number: number) => void) {
    this.#api = api
    this.#onMerge = onMerge
  }

  /** Returns the contents of a run. */
  async compositionOf(run: RunDetails): Promise<RunContents> {
    // Lookups run one after another, because each continues after the last known merge.
    this.#lookingUp = this.#lookingUp.then(() => this.#lookUp())
    await this.#lookingUp
    const tested = run.testedPullRequests.map(({ prNumber }) => prNumber)
    const base = run.dependentPrs
    const batch = run.isBisection ? this.#mainRuns.get(tested[0] ?? 0) : undefined
    if (batch) return this.#inBisection(batch, base, tested)
    const tip = this.#order.filter(({ stateChangedAt }) => stateChangedAt <= run.createdAt).length
    // `dependentPrs` no longer names what has merged since the run started.
    const since = this.#order.slice(tip).map(({ prNumber }) => prNumber)
    const merged = since.filter((number) => !base.includes(number) && !tested.includes(number))
    const composition = { tip, base: [...merged, ...base], tested }
    for (const number of tested) this.#mainRuns.set(number, composition)
    return composition
  }

  /** A bisection is pinned to the tip of its batch. Members of the batch may have merged since. */
  #inBisection(
    { tip, tested: members }: RunContents,
    base: readonly number[],
    tested: readonly number[],
  ): RunContents {
    const since = this.#order
      .slice(tip)
      .map(({ prNumber }) => prNumber)
      .filter((number) => members.includes(number) && !base.includes(number))
    return { tip, base: [...since, ...base], tested }
  }

  async #lookUp(): Promise<void> {
    const fresh: LeftPullRequest[] = []
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
