/**
 * Modelled on bors-ng (`lib/worker/batcher.ex` and `batcher/divider.ex`). One batch is under test.
 * A pull request that is submitted meanwhile joins the newest waiting batch. A failed batch is
 * split in half, the smaller half first, and both halves wait behind the batches that already wait.
 * A failed batch of one pull request is rejected. A batch starts at the earliest ten seconds after
 * it was made, unless the dashboard says otherwise. Batches have no maximum size unless
 * `max_batch_size` is configured. Then a pull request joins the newest waiting batch with room. The
 * batch size of the scenario is not used for that.
 *
 * A batch with a text conflict is split without a test run. Not modelled: priorities, the timeout,
 * and retries of a batch whose push to the branch lost a race.
 */

import type { Millis } from '../../engine/index.ts'
import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

export type BorsParameters = {
  /** The most pull requests in a batch; null for no limit. */
  readonly most: number | null
  readonly delayMs: Millis
}

export const borsDefaults: BorsParameters = { most: null, delayMs: 10_000 }

type Batch = { readonly numbers: number[]; readonly madeAt: Millis }

export const borsHalves =
  (parameters: BorsParameters): MakePolicy =>
  (host) =>
    new Bors(host, parameters)

class Bors implements Policy {
  readonly #host: Host
  /** Oldest first. */
  readonly #waiting: Batch[] = []
  readonly #most: number
  readonly #delayMs: Millis
  #isBusy = false

  constructor(host: Host, { most, delayMs }: BorsParameters) {
    this.#host = host
    this.#most = most ?? Infinity
    this.#delayMs = delayMs
  }

  submitted(number: number): void {
    const last = this.#waiting.findLast(
      ({ numbers }) =>
        numbers.length < this.#most && !numbers.some((each) => this.#host.isAlone(each)),
    )
    if (last && !this.#host.isAlone(number)) last.numbers.push(number)
    else this.#make([number])
  }

  finished({ tested }: PolicyRun, hasPassed: boolean): void {
    this.#isBusy = false
    if (hasPassed) this.#host.merge(tested)
    else this.#split(tested, 'tests')
  }

  advance(): void {
    while (!this.#isBusy) {
      const [first] = this.#waiting
      if (!first || first.madeAt + this.#delayMs > this.#host.now()) return
      this.#waiting.shift()
      this.#test(first.numbers)
    }
  }

  #test(numbers: readonly number[]): void {
    const merges = numbers.every((number, position) =>
      this.#host.mergesOn(number, numbers.slice(0, position)),
    )
    if (!merges) {
      this.#split(numbers, 'conflict')
      return
    }
    this.#host.start({ base: [], tested: numbers })
    this.#isBusy = true
  }

  #split(numbers: readonly number[], cause: 'tests' | 'conflict'): void {
    const [first] = numbers
    if (numbers.length === 1 && first !== undefined) {
      this.#host.evict(first, cause)
      return
    }
    const half = Math.floor(numbers.length / 2)
    this.#make(numbers.slice(0, half))
    this.#make(numbers.slice(half))
  }

  #make(numbers: readonly number[]): void {
    const madeAt = this.#host.now()
    this.#waiting.push({ numbers: [...numbers], madeAt })
    this.#host.wakeAt(madeAt + this.#delayMs)
  }
}
