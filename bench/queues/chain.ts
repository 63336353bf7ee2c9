/**
 * The common part of GitLab's merge trains and GitHub's merge queue: a chain in which each pull
 * request is tested on top of all pull requests ahead. An eviction restarts all successors.
 */

import type { Millis } from '../../engine/index.ts'
import { forgetTest, startTest, untested } from './queue.ts'
import type { Host, Policy, Tested } from './queue.ts'

export type ChainRules = {
  readonly takesStacks: boolean
  /** How many cars, counted from the head, may be tested concurrently. */
  readonly underTest: number
  /** True if failed and pending cars merge too, if the last of the group has passed. */
  readonly isHeadGreen: boolean
  /** The fewest and the most cars that merge together. */
  readonly least: number
  readonly most: number
  /** After this time a group of fewer cars may merge. */
  readonly waitMs: Millis
}

type Car = Tested & { readonly number: number; readonly addedAt: Millis }

export class Chain implements Policy {
  readonly takesStacks: boolean
  readonly #host: Host
  readonly #rules: ChainRules
  readonly #cars: Car[] = []

  constructor(host: Host, rules: ChainRules) {
    this.#host = host
    this.#rules = rules
    this.takesStacks = rules.takesStacks
  }

  submitted(number: number): void {
    const addedAt = this.#host.now()
    this.#cars.push({ number, addedAt, ...untested })
    if (this.#rules.least > 1) this.#host.wakeAt(addedAt + this.#rules.waitMs)
  }

  advance(): void {
    const failed = this.#cars.find(({ verdict }) => verdict === 'failed')
    if (failed && !this.#rules.isHeadGreen) this.#evict(failed, 'tests')
    for (let count = this.#groupAtHead(); count > 0; count = this.#groupAtHead()) {
      this.#merge(count)
    }
    this.#start()
    const [head] = this.#cars
    if (head && this.#isHopeless()) {
      this.#evict(head, 'tests')
      this.advance()
    }
  }

  /** Merges the first `count` cars. Their successors are already tested on top of them. */
  #merge(count: number): void {
    const merged = this.#cars.splice(0, count)
    for (const car of merged) forgetTest(this.#host, car)
    this.#host.merge(merged.map(({ number }) => number))
  }

  /** Evicts one car, with those that depend on it. Its successors were tested on top of it, so they start over. */
  #evict(car: Car, cause: 'tests' | 'conflict'): void {
    const [, ...behind] = this.#cars.splice(this.#cars.indexOf(car))
    const leaving = this.#host.evict(car.number, cause)
    for (const each of behind) forgetTest(this.#host, each)
    this.#cars.push(...behind.filter(({ number }) => !leaving.includes(number)))
  }

  /** Starts as many runs as possible, from the head. Evicts cars with a text conflict. */
  #start(): void {
    for (let position = 0; position < this.#rules.underTest;) {
      const car = this.#cars[position]
      if (!car) return
      const base = this.#cars.slice(0, position).map(({ number }) => number)
      const isToStart = car.run === null && car.verdict === 'none'
      if (isToStart && !this.#host.mergesOn(car.number, base)) {
        this.#evict(car, 'conflict')
        continue
      }
      if (isToStart) {
        if (this.#host.freeSlots() === 0) return
        startTest(this.#host, car, { base, tested: [car.number] })
      }
      position++
    }
  }

  get #firstGroup(): readonly Car[] {
    return this.#cars.slice(0, this.#rules.most)
  }

  /**
   * The number of cars from the head that can merge: those of the first group up to the last that
   * passed; 0 if that is too few and the group may still wait. None of them may be pending, unless only the
   * last has to be green: its run holds all those ahead.
   */
  #groupAtHead(): number {
    const group = this.#firstGroup
    const pending = group.findIndex(({ verdict }) => verdict === 'none')
    const mayCarry = this.#rules.isHeadGreen || pending === -1
    const candidates = mayCarry ? group : group.slice(0, pending)
    const count = candidates.findLastIndex(({ verdict }) => verdict === 'passed') + 1
    return this.#isEnough(count) ? count : 0
  }

  /** True if so many cars may leave, by the minimum or because the first has waited. */
  #isEnough(count: number): boolean {
    const [head] = this.#cars
    const { least, waitMs } = this.#rules
    const hasWaited = head !== undefined && head.addedAt + waitMs <= this.#host.now()
    return count >= least || hasWaited
  }

  /** True if all cars of the first group have failed, so that the head can no longer merge. */
  #isHopeless(): boolean {
    const group = this.#firstGroup
    return group.every(({ verdict }) => verdict === 'failed') && this.#isEnough(group.length)
  }
}
