/**
 * After bors-ng (`lib/worker/batcher.ex` and `batcher/divider.ex`): one batch under test, everybody
 * who comes meanwhile joins the waiting batch made last. A batch that fails is cut in half, the
 * smaller half first, and both halves wait behind the batches that wait already; a single one that
 * fails is rejected. A batch starts ten seconds after it was made at the earliest. There is no
 * largest batch unless one is set; the scenario's batch size is not taken for one.
 *
 * A batch that does not merge as text is cut in half without a run. Left out: priorities, the
 * timeout, and retrying a batch whose push to the branch lost a race.
 */

import type { Millis } from '../../engine/index.ts'
import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

const delayMs: Millis = 10_000

type Batch = { readonly numbers: number[]; readonly madeAt: Millis }

export const borsHalves: MakePolicy = (host) => new Bors(host)

class Bors implements Policy {
  readonly #host: Host
  /** Oldest first. */
  readonly #waiting: Batch[] = []
  #isBusy = false

  constructor(host: Host) {
    this.#host = host
  }

  submitted(number: number): void {
    const last = this.#waiting.findLast(
      ({ numbers }) => !numbers.some((each) => this.#host.isAlone(each)),
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
      if (!first || first.madeAt + delayMs > this.#host.now()) return
      this.#waiting.shift()
      this.#test(first.numbers)
    }
  }

  #test(numbers: readonly number[]): void {
    const merges = numbers.every((number, place) =>
      this.#host.mergesOn(number, numbers.slice(0, place)),
    )
    if (!merges) {
      this.#split(numbers, 'conflict')
      return
    }
    this.#host.start({ base: [], tested: numbers })
    this.#isBusy = true
  }

  #split(numbers: readonly number[], why: 'tests' | 'conflict'): void {
    const [first] = numbers
    if (numbers.length === 1 && first !== undefined) {
      this.#host.evict(first, why)
      return
    }
    const half = Math.floor(numbers.length / 2)
    this.#make(numbers.slice(0, half))
    this.#make(numbers.slice(half))
  }

  #make(numbers: readonly number[]): void {
    const madeAt = this.#host.now()
    this.#waiting.push({ numbers: [...numbers], madeAt })
    this.#host.wakeAt(madeAt + delayMs)
  }
}
