/**
 * An oracle that no real queue can implement: it knows which pull requests will fail, and which
 * failures are flakes. It tests every pull request once, in order, on top of exactly the pull
 * requests that will merge. No run is wasted, except the repeats of flakes. This is the goal of
 * predictors such as Uber's SubmitQueue. It is a bound for queues that test each pull request
 * separately, not for queues that batch.
 */

import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

type OracleEntry = {
  readonly number: number
  readonly base: readonly number[]
  readonly isBad: boolean
  isPassed: boolean
}

export const oracle: MakePolicy = (host) => new Oracle(host)

class Oracle implements Policy {
  readonly #host: Host
  readonly #toStart: number[] = []
  /** Pull requests under test, and passed ones that wait for one ahead. */
  readonly #begun: OracleEntry[] = []

  constructor(host: Host) {
    this.#host = host
  }

  submitted(number: number): void {
    this.#toStart.push(number)
  }

  finished({ tested: [number] }: PolicyRun, hasPassed: boolean): void {
    const entry = this.#begun.find((each) => each.number === number)
    if (!entry) return
    if (hasPassed) entry.isPassed = true
    else if (entry.isBad) this.#evict(entry)
    else this.#host.start({ base: this.#unmerged(entry.base), tested: [entry.number] })
  }

  advance(): void {
    for (let head = this.#head(); head?.isPassed === true; head = this.#head()) {
      this.#begun.splice(this.#begun.indexOf(head), 1)
      this.#host.merge([head.number])
    }
    while (this.#host.freeSlots() > 0) {
      const number = this.#toStart.shift()
      if (number === undefined) return
      this.#start(number)
    }
  }

  #start(number: number): void {
    const base = this.#begun.filter(({ isBad }) => !isBad).map((each) => each.number)
    if (!this.#host.mergesOn(number, base)) {
      this.#host.evict(number, 'conflict')
      return
    }
    const isBad = this.#host.wouldBreak([...base, number])
    this.#begun.push({ number, base, isBad, isPassed: false })
    this.#host.start({ base, tested: [number] })
  }

  #evict(entry: OracleEntry): void {
    this.#begun.splice(this.#begun.indexOf(entry), 1)
    this.#host.evict(entry.number, 'tests')
  }

  /** The first pull request that will merge. */
  #head(): OracleEntry | undefined {
    return this.#begun.find(({ isBad }) => !isBad)
  }

  #unmerged(base: readonly number[]): number[] {
    return base.filter((number) => this.#begun.some((each) => each.number === number))
  }
}
