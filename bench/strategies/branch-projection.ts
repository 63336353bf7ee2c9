/** Counts the cost of a simulated policy, the times in queue, and how long main is broken. */

import type { Millis } from '../../engine/index.ts'
import type { World } from '../../sim/world/world.ts'
import type { PolicyTally } from './figures.ts'

export class BranchProjection {
  readonly #world: World
  /** When each pull request in the queue was submitted. */
  readonly #submittedAt = new Map<number, Millis>()
  /** The first submission of each pull request that has not merged. */
  readonly #firstSubmittedAt = new Map<number, Millis>()
  /** How often each of them was submitted. */
  readonly #submissions = new Map<number, number>()
  readonly #evicted = new Set<number>()
  readonly #timesInQueue: Millis[] = []
  readonly #timesToLand: Millis[] = []
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
    if (!this.#firstSubmittedAt.has(number)) this.#firstSubmittedAt.set(number, at)
    this.#submissions.set(number, this.submissionsOf(number) + 1)
    this.#evicted.delete(number)
  }

  submissionsOf(number: number): number {
    return this.#submissions.get(number) ?? 0
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
    this.#timesToLand.push(at - (this.#firstSubmittedAt.get(number) ?? at))
    for (const known of [this.#submittedAt, this.#firstSubmittedAt, this.#submissions])
      known.delete(number)
    const culprits = this.#world.main.culprits([])
    if (culprits.includes(number)) this.#badMerged++
    if (culprits.length > 0) {
      this.#brokenSince ??= at
    } else {
      this.#brokenMs += this.#brokenFor(at)
      this.#brokenSince = null
    }
  }

  /** Returns whether it was healthy. */
  evicted(number: number, cause: 'tests' | 'conflict'): boolean {
    const isHealthy = cause === 'tests' && !this.#breaks(number)
    if (isHealthy) this.#healthyEvicted++
    this.#evicted.add(number)
    this.#submittedAt.delete(number)
    return isHealthy
  }

  /** Returns the totals of a simulation that has ended. */
  tally(endedAt: Millis): PolicyTally {
    return {
      timesInQueue: this.#timesInQueue,
      timesToLand: this.#timesToLand,
      failed: this.#evicted.size,
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
