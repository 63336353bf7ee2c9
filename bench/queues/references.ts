/**
 * References that know which pull requests break, and which failures are flakes. No real queue can.
 */

import type { Host, MakePolicy, Policy, PolicyRun } from './queue.ts'

type OracleEntry = {
  readonly number: number
  readonly base: readonly number[]
  readonly isBad: boolean
  isPassed: boolean
}

/**
 * An oracle that no real queue can implement: it knows which pull requests will fail, and which
 * failures are flakes. It tests every pull request once, in order, on top of exactly the pull
 * requests that will merge. No run is wasted, except the repeats of flakes. This is the goal of
 * predictors such as Uber's SubmitQueue. It is a bound for queues that test each pull request
 * separately, not for queues that batch.
 */
export const oracle: MakePolicy = (host) => new Oracle(host)

class Oracle implements Policy {
  readonly takesStacks = true
  readonly #host: Host
  #toStart: number[] = []
  /** Pull requests under test, and passed ones that wait for one ahead. */
  readonly #begun: OracleEntry[] = []

  constructor(host: Host) {
    this.#host = host
  }

  submitted(number: number): void {
    this.#toStart.push(number)
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
    const isLost = this.#host.below(number).some((below) => !base.includes(below))
    // What it depends on will fail, and it leaves with that one.
    if (isLost) return
    if (!this.#host.mergesOn(number, base)) {
      this.#forget(this.#host.evict(number, 'conflict'))
      return
    }
    const isBad = this.#host.failsAlways([...base, number])
    const entry = { number, base, isBad, isPassed: false }
    this.#begun.push(entry)
    this.#test(entry)
  }

  #test(entry: OracleEntry): void {
    const { number, base, isBad } = entry
    const below = base.filter((other) => this.#begun.some((each) => each.number === other))
    this.#host.start({ base: below, tested: [number] }, (hasPassed) => {
      if (hasPassed) entry.isPassed = true
      else if (isBad) this.#evict(entry)
      else this.#test(entry)
    })
  }

  #evict(entry: OracleEntry): void {
    this.#begun.splice(this.#begun.indexOf(entry), 1)
    this.#forget(this.#host.evict(entry.number, 'tests'))
  }

  #forget(numbers: readonly number[]): void {
    this.#toStart = this.#toStart.filter((each) => !numbers.includes(each))
  }

  /** The first pull request that will merge. */
  #head(): OracleEntry | undefined {
    return this.#begun.find(({ isBad }) => !isBad)
  }
}

/**
 * A reference that knows which pull requests break, and which failures are flakes. Every run holds
 * all good pull requests that wait. One starts as soon as a pull request comes that no run holds,
 * and all in it merge together when it passes. Runs whose pull requests have all merged are
 * cancelled. Each bad one costs a run of its own. It is no bound: a queue that waits for larger
 * batches is cheaper, and one that tests each composition several times at once is faster.
 */
export const clairvoyant: MakePolicy = (host) => new Clairvoyant(host)

class Clairvoyant implements Policy {
  readonly takesStacks = true
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
    const isLost = this.#host.below(number).some((below) => !this.#good.includes(below))
    // What it depends on will fail, and it leaves with that one.
    if (isLost) return
    if (!this.#host.mergesOn(number, this.#good)) this.#host.evict(number, 'conflict')
    else if (this.#host.failsAlways([...this.#good, number])) this.#bad.push(number)
    else this.#good.push(number)
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
    const run = this.#host.start({ base: [], tested: [...this.#good] }, (hasPassed) => {
      this.#runs.splice(this.#runs.indexOf(run), 1)
      if (hasPassed) this.#merge(run.tested)
    })
    this.#runs.push(run)
    return true
  }

  #startBad(): boolean {
    const number = this.#bad.shift()
    if (number === undefined) return false
    this.#host.start({ base: [...this.#good], tested: [number] }, () => {
      this.#host.evict(number, 'tests')
    })
    return true
  }
}
