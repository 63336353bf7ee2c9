/**
 * The common part of GitLab's merge trains and GitHub's merge queue: a chain in which each pull
 * request is tested on top of all pull requests ahead. An eviction restarts all successors.
 */

import type { Millis } from '../../engine/index.ts'
import type { Host, PolicyRun } from './queue.ts'

export type Car = {
  readonly number: number
  readonly addedAt: Millis
  run: PolicyRun | null
  verdict: 'none' | 'passed' | 'failed'
}

export class Chain {
  readonly cars: Car[] = []
  readonly #host: Host
  /** How many cars, counted from the head, may be tested concurrently. */
  readonly #most: number

  constructor(host: Host, most: number) {
    this.#host = host
    this.#most = most
  }

  add(number: number): void {
    this.cars.push({ number, addedAt: this.#host.now(), run: null, verdict: 'none' })
  }

  /** Records the result of a run. */
  finished(run: PolicyRun, hasPassed: boolean): void {
    const car = this.cars.find((each) => each.run?.id === run.id)
    if (!car) return
    car.run = null
    car.verdict = hasPassed ? 'passed' : 'failed'
  }

  /** Merges the first `count` cars. Their successors are already tested on top of them. */
  merge(count: number): void {
    const merged = this.cars.splice(0, count)
    for (const { run } of merged) if (run) this.#host.cancel(run)
    this.#host.merge(merged.map(({ number }) => number))
  }

  /** Evicts one car, with those that depend on it. Its successors were tested on top of it, so they start over. */
  evict(car: Car, cause: 'tests' | 'conflict'): void {
    const [, ...behind] = this.cars.splice(this.cars.indexOf(car))
    const leaving = this.#host.evict(car.number, cause)
    for (const each of behind) {
      if (each.run) this.#host.cancel(each.run)
      each.run = null
      each.verdict = 'none'
    }
    this.cars.push(...behind.filter(({ number }) => !leaving.includes(number)))
  }

  /** Starts as many runs as possible, from the head. Evicts cars with a text conflict. */
  start(): void {
    for (let position = 0; position < Math.min(this.#most, this.cars.length);) {
      const car = this.cars[position]
      if (!car) return
      const base = this.cars.slice(0, position).map(({ number }) => number)
      const isToStart = car.run === null && car.verdict === 'none'
      if (isToStart && !this.#host.mergesOn(car.number, base)) {
        this.evict(car, 'conflict')
        continue
      }
      if (isToStart) {
        if (this.#host.freeSlots() === 0) return
        car.run = this.#host.start({ base, tested: [car.number] })
      }
      position++
    }
  }
}
