/** Counts the cost of a simulated policy, the times in queue, and how long main is broken. */

import type { Millis } from '../../engine/index.ts'
import type { World } from '../../sim/world/world.ts'
import type { PolicyTally } from './figures.ts'

export class BranchProjection {
  readonly #world: World
  /** When each pull request in the queue was submitted. */
  readonly #submittedAt = new Map<number, Millis>()
  readonly #timesInQueue: Millis[] = []
  #failed = 0
  #testRuns = 0
  #testMs: Millis = 0
  #healthyEvicted = 0
  #badMerged = 0
  #brokenMs: Millis = 0
  #brokenSince: Millis | null = null
  #running = 0
  #peakRuns = 0

  constructor(world: World) {
    this.#world = world
  }

  has(number: number): boolean {
    return this.#submittedAt.has(number)
  }

  /** The number of pull requests in the queue. */
  get size(): number {
    return this.#submittedAt.size
  }

  submitted(number: number, at: Millis): void {
    this.#submittedAt.set(number, at)
  }

  runStarted(): void {
    this.#testRuns++
    this.#running++
    this.#peakRuns = Math.max(this.#peakRuns, this.#running)
  }

  runEnded(lengthMs: Millis): void {
    this.#running--
    this.#testMs += lengthMs
  }

  /** Call this after the world has merged the pull request. */
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

  evicted(number: number, cause: 'tests' | 'conflict'): void {
    this.#failed++
    if (cause === 'tests' && !this.#breaks(number)) this.#healthyEvicted++
    this.#submittedAt.delete(number)
  }

  /** Returns the totals of a simulation that has ended. */
  tally(endedAt: Millis): PolicyTally {
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

  /**
   * True if the pull request breaks the branch, alone or together with one that is merged or still
   * in the queue. The figures of the real engine use the same definition.
   */
  #breaks(number: number): boolean {
    const { truth, main } = this.#world
    const isPresent = (other: number): boolean => main.holds(other) || this.has(other)
    return main.culprits([number, ...truth.partnersOf(number).filter(isPresent)]).includes(number)
  }

  #brokenFor(at: Millis): Millis {
    return this.#brokenSince === null ? 0 : at - this.#brokenSince
  }
}
