/** The books of a rehearsed policy: what it spent, how long everybody took, whether main held. */

import type { Millis } from '../../engine/index.ts'
import type { World } from '../../sim/world/world.ts'
import type { Tally } from './figures.ts'

export class BranchBooks {
  readonly #world: World
  /** Those in the queue, and since when. */
  readonly #submittedAt = new Map<number, Millis>()
  readonly #timesInQueue: Millis[] = []
  #failed = 0
  #testRuns = 0
  #testMs: Millis = 0
  #healthyEvicted = 0
  #badMerged = 0
  #brokenMs: Millis = 0
  #brokenSince: Millis | null = null
  #underWay = 0
  #peakRuns = 0

  constructor(world: World) {
    this.#world = world
  }

  has(number: number): boolean {
    return this.#submittedAt.has(number)
  }

  /** How many are in the queue. */
  get size(): number {
    return this.#submittedAt.size
  }

  submitted(number: number, at: Millis): void {
    this.#submittedAt.set(number, at)
  }

  runStarted(): void {
    this.#testRuns++
    this.#underWay++
    this.#peakRuns = Math.max(this.#peakRuns, this.#underWay)
  }

  runEnded(lengthMs: Millis): void {
    this.#underWay--
    this.#testMs += lengthMs
  }

  /** To be told when the branch holds it. */
  merged(number: number, at: Millis): void {
    this.#timesInQueue.push(at - (this.#submittedAt.get(number) ?? at))
    this.#submittedAt.delete(number)
    const culprits = this.#world.main.culprits([])
    if (culprits.includes(number)) this.#badMerged++
    if (culprits.length > 0) {
      this.#brokenSince ??= at
    } else {
      this.#brokenMs += this.#brokenFor(at)
      this.#brokenSince = null
    }
  }

  evicted(number: number, why: 'tests' | 'conflict'): void {
    this.#failed++
    if (why === 'tests' && !this.#breaks(number)) this.#healthyEvicted++
    this.#submittedAt.delete(number)
  }

  /** Everything, once it is over. */
  tally(endedAt: Millis): Tally {
    return {
      timesInQueue: this.#timesInQueue,
      failed: this.#failed,
      testRuns: this.#testRuns,
      testMs: this.#testMs,
      healthyEvicted: this.#healthyEvicted,
      badMerged: this.#badMerged,
      brokenMainMs: this.#brokenMs + this.#brokenFor(endedAt),
      peakRuns: this.#peakRuns,
    }
  }

  /** As for the engine: it breaks the branch, alone or with one there or still in the queue. */
  #breaks(number: number): boolean {
    const { truth, main } = this.#world
    const isAround = (other: number): boolean => main.holds(other) || this.has(other)
    return main.culprits([number, ...truth.partnersOf(number).filter(isAround)]).includes(number)
  }

  #brokenFor(at: Millis): Millis {
    return this.#brokenSince === null ? 0 : at - this.#brokenSince
  }
}
