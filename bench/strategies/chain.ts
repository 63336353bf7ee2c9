/**
 * What GitLab's merge trains and GitHub's merge queue have in common: a chain in which each pull
 * request is tested on top of all those ahead, and one that leaves restarts everybody behind it.
 */

import type { Host, PolicyRun } from './policy.ts'

export type Car = {
  readonly number: number
  run: PolicyRun | null
  verdict: 'none' | 'passed' | 'failed'
}

export class Chain {
  readonly cars: Car[] = []
  readonly #host: Host
  /** How many from the head may be tested at once. */
  readonly #most: number

  constructor(host: Host, most: number) {
    this.#host = host
    this.#most = most
  }

  add(number: number): void {
    this.cars.push({ number, run: null, verdict: 'none' })
  }

  note(run: PolicyRun, hasPassed: boolean): void {
    const car = this.cars.find((each) => each.run?.id === run.id)
    if (!car) return
    car.run = null
    car.verdict = hasPassed ? 'passed' : 'failed'
  }

  /** Takes the first so many off the chain and lands them; those behind stand on them already. */
  merge(count: number): void {
    const merged = this.cars.splice(0, count)
    for (const { run } of merged) if (run) this.#host.cancel(run)
    this.#host.merge(merged.map(({ number }) => number))
  }

  /** Throws one out. Everybody behind it was tested on top of it, and starts over. */
  evict(car: Car, why: 'tests' | 'conflict'): void {
    const place = this.cars.indexOf(car)
    this.cars.splice(place, 1)
    this.#host.evict(car.number, why)
    for (const behind of this.cars.slice(place)) {
      if (behind.run) this.#host.cancel(behind.run)
      behind.run = null
      behind.verdict = 'none'
    }
  }

  /** Starts runs from the head on, as many as may be; who does not merge as text is thrown out. */
  start(): void {
    for (let place = 0; place < Math.min(this.#most, this.cars.length);) {
      const car = this.cars[place]
      if (!car) return
      const base = this.cars.slice(0, place).map(({ number }) => number)
      const isToStart = car.run === null && car.verdict === 'none'
      if (isToStart && !this.#host.mergesOn(car.number, base)) {
        this.evict(car, 'conflict')
        continue
      }
      if (isToStart) {
        if (this.#host.freeSlots() === 0) return
        car.run = this.#host.start({ base, tested: [car.number] })
      }
      place++
    }
  }
}
