/**
 * A reference that knows which pull requests break, and which failures are flakes. Every run holds
 * all good pull requests that wait. One starts as soon as a pull request comes that no run holds,
 * and all in it merge together when it passes. Runs whose pull requests have all merged are
 * cancelled. Each bad one costs a run of its own. It is no bound: a queue that waits for larger
 * batches is cheaper, and one that tests each composition several times at once is faster.
 */

import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

export const clairvoyant: MakePolicy = (host) => new Clairvoyant(host)

class Clairvoyant implements Policy {
  readonly #host: Host
  /** Those that wait, in the order of their submissions. */
  #good: number[] = []
  readonly #bad: number[] = []
  /** The runs of good ones. */
  #runs: PolicyRun[] = []

  constructor(host: Host) {
    this.#host = host
  }

  submitted(number: number): void {
    if (!this.#host.mergesOn(number, this.#good)) this.#host.evict(number, 'conflict')
    else if (this.#host.wouldBreak([...this.#good, number])) this.#bad.push(number)
    else this.#good.push(number)
  }

  finished(run: PolicyRun, hasPassed: boolean): void {
    const isOfGood = this.#runs.some(({ id }) => id === run.id)
    this.#runs = this.#runs.filter(({ id }) => id !== run.id)
    if (!isOfGood) for (const number of run.tested) this.#host.evict(number, 'tests')
    else if (hasPassed) this.#merge(run.tested)
  }

  advance(): void {
    while (this.#host.freeSlots() > 0 && (this.#startGood() || this.#startBad()));
  }

  #merge(tested: readonly number[]): void {
    this.#host.merge(this.#good.filter((number) => tested.includes(number)))
    this.#good = this.#good.filter((number) => !tested.includes(number))
    const holdsOne = (run: PolicyRun): boolean =>
      this.#good.some((each) => run.tested.includes(each))
    for (const run of this.#runs) if (!holdsOne(run)) this.#host.cancel(run)
    this.#runs = this.#runs.filter(holdsOne)
  }

  #startGood(): boolean {
    const isHeld = (number: number): boolean =>
      this.#runs.some(({ tested }) => tested.includes(number))
    if (this.#good.every(isHeld)) return false
    this.#runs.push(this.#host.start({ base: [], tested: [...this.#good] }))
    return true
  }

  #startBad(): boolean {
    const number = this.#bad.shift()
    if (number === undefined) return false
    this.#host.start({ base: [...this.#good], tested: [number] })
    return true
  }
}
