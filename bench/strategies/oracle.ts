/**
 * Nobody can do this: an oracle that knows who will fail, and which failure is a flake. Everybody
 * is tested once, in order, on top of exactly those that will merge, so that no run is ever made
 * for nothing but the repeats of flakes. What the predictions of Uber's SubmitQueue aim for; a
 * bound for queues that test each pull request by itself, not for those that batch.
 */

import type { Host, MakePolicy, Policy, PolicyRun } from './policy.ts'

type Entry = {
  readonly number: number
  readonly base: readonly number[]
  readonly isBad: boolean
  isPassed: boolean
}

export const oracle: MakePolicy = (host) => new Oracle(host)

class Oracle implements Policy {
  readonly #host: Host
  readonly #toStart: number[] = []
  /** Those under test, and those to merge that wait for one ahead. */
  readonly #begun: Entry[] = []

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

  #evict(entry: Entry): void {
    this.#begun.splice(this.#begun.indexOf(entry), 1)
    this.#host.evict(entry.number, 'tests')
  }

  /** The first of those that will merge. */
  #head(): Entry | undefined {
    return this.#begun.find(({ isBad }) => !isBad)
  }

  #unmerged(base: readonly number[]): number[] {
    return base.filter((number) => this.#begun.some((each) => each.number === number))
  }
}
