/** The figures by which strategies are compared. */

import type { Millis } from '../../engine/index.ts'
import { distributionOf } from '../../sim/result/result-document.ts'
import type { Distribution, Figures } from '../../sim/result/result-document.ts'
import { runPriceOf } from '../../sim/result/price.ts'
import type { Prices } from '../../sim/scenario/scenario.ts'
import { toMinutes } from '../../sim/scenario/time.ts'
import type { World } from '../../sim/world/world.ts'

export type ComparedFigures = {
  /** From the first submission to the merge, of merged pull requests (S-241). */
  readonly timeToLandMinutes: Distribution
  /** From the last submission to the merge. */
  readonly timeInQueueMinutes: Distribution
  readonly merged: number
  readonly failed: number
  readonly testRuns: number
  readonly testMinutes: number
  readonly runsPerMerge: number | null
  readonly minutesPerMerge: number | null
  /** Pull requests that were evicted for failed tests although they do not break. */
  readonly healthyEvicted: number
  /** Pull requests that were evicted because they break together with others. */
  readonly clashed: number
  /** Submissions that waited outside the queue for what they depend on (S-362). */
  readonly heldBack: number
  /** Merged pull requests that broke the branch. */
  readonly badMerged: number
  readonly brokenMainMinutes: number
  /** The price of each pull request that landed; null without prices, or if none did (S-244). */
  readonly pricePerLanded: number | null
  /** The maximum number of concurrent runs. */
  readonly peakRuns: number
}

export type PolicyTally = Readonly<ReturnType<typeof noTotals>>

function noTotals() {
  const [timesInQueue, timesToLand]: [Millis[], Millis[]] = [[], []]
  return {
    timesInQueue,
    timesToLand,
    failed: 0,
    testRuns: 0,
    testMs: 0,
    brokenMainMs: 0,
    healthyEvicted: 0,
    clashed: 0,
    heldBack: 0,
    badMerged: 0,
    peakRuns: 0,
  }
}

export function figuresOfPolicy(tally: PolicyTally, prices: Prices = {}): ComparedFigures {
  const { timesInQueue, timesToLand, testMs, brokenMainMs, ...counts } = tally
  const merged = timesInQueue.length
  const waitedMinutes = toMinutes(timesToLand.reduce((sum, time) => sum + time, 0))
  const costs = { testMinutes: toMinutes(testMs), waitedHours: waitedMinutes / 60 }
  return {
    timeToLandMinutes: distributionOf(timesToLand),
    pricePerLanded: runPriceOf(costs, merged, prices)?.perLanded ?? null,
    timeInQueueMinutes: distributionOf(timesInQueue),
    merged,
    testMinutes: toMinutes(testMs),
    brokenMainMinutes: toMinutes(brokenMainMs),
    runsPerMerge: perMerge(tally.testRuns, merged),
    minutesPerMerge: perMerge(toMinutes(testMs), merged),
    ...counts,
  }
}

/** Returns the same figures from the result of the real engine. */
export function figuresOfEngine(figures: Figures): ComparedFigures {
  const { timeToLandMinutes, timeInQueueMinutes, totals, price } = figures
  const { merged, failed, testRuns, testMinutes } = totals
  const { healthyEvicted, clashed, badMerged, brokenMainMinutes } = totals
  return {
    timeToLandMinutes,
    timeInQueueMinutes,
    pricePerLanded: price?.perLanded ?? null,
    merged,
    failed,
    testRuns,
    testMinutes,
    runsPerMerge: perMerge(testRuns, merged),
    minutesPerMerge: perMerge(testMinutes, merged),
    healthyEvicted,
    clashed,
    heldBack: 0,
    badMerged,
    brokenMainMinutes,
    peakRuns: totals.peakRuns,
  }
}

function perMerge(sum: number, merged: number): number | null {
  return merged === 0 ? null : sum / merged
}

// Counts the cost of a simulated policy, the times in queue, and how long main is broken.

export class BranchProjection {
  readonly #world: World
  /** When each pull request in the queue was submitted. */
  readonly #submittedAt = new Map<number, Millis>()
  /** When the author of each was ready to submit it: for the first time, and for this one. */
  readonly #firstCameAt = new Map<number, Millis>()
  readonly #cameAt = new Map<number, Millis>()
  /** How often each of them was submitted. */
  readonly #submissions = new Map<number, number>()
  readonly #evicted = new Set<number>()
  readonly #totals = noTotals()
  #brokenSince: Millis | null = null
  #running = 0

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

  /** Its author is ready to submit it. */
  came(number: number, at: Millis): void {
    this.#cameAt.set(number, at)
    if (!this.#firstCameAt.has(number)) this.#firstCameAt.set(number, at)
  }

  submitted(number: number, at: Millis): void {
    this.#submittedAt.set(number, at)
    if (this.#cameAt.get(number) !== at) this.#totals.heldBack++
    this.#submissions.set(number, this.submissionsOf(number) + 1)
    this.#evicted.delete(number)
  }

  submissionsOf(number: number): number {
    return this.#submissions.get(number) ?? 0
  }

  runStarted(): void {
    this.#totals.testRuns++
    this.#running++
    this.#totals.peakRuns = Math.max(this.#totals.peakRuns, this.#running)
  }

  runEnded(lengthMs: Millis): void {
    this.#running--
    this.#totals.testMs += lengthMs
  }

  /** Call this after the world has merged the pull request. */
  merged(number: number, at: Millis): void {
    this.#totals.timesInQueue.push(at - (this.#submittedAt.get(number) ?? at))
    this.#totals.timesToLand.push(at - (this.#firstCameAt.get(number) ?? at))
    for (const known of [this.#submittedAt, this.#firstCameAt, this.#cameAt, this.#submissions])
      known.delete(number)
    const culprits = this.#world.main.culprits([])
    if (culprits.includes(number)) this.#totals.badMerged++
    if (culprits.length > 0) {
      this.#brokenSince ??= at
    } else {
      this.#totals.brokenMainMs += this.#brokenFor(at)
      this.#brokenSince = null
    }
  }

  /** It leaves because of one that it depends on. */
  leftWithAnother(number: number): void {
    this.#submittedAt.delete(number)
  }

  /** Returns whether its author submits it again: it was healthy, or can be adapted (S-242, S-270). */
  evicted(number: number, cause: 'tests' | 'conflict'): boolean {
    const { truth, main } = this.#world
    const isOwn = cause === 'conflict' ? this.#conflicts(number) : this.#breaks(number)
    const why = !isOwn ? 'healthy' : cause === 'conflict' ? 'conflict' : 'breaks'
    const isClash = why === 'breaks' && !main.culprits([number], 0).includes(number)
    if (why === 'healthy') this.#totals.healthyEvicted++
    if (isClash) this.#totals.clashed++
    this.#evicted.add(number)
    this.#submittedAt.delete(number)
    return why === 'healthy' || (isClash && truth.clashesOf(number).length > 0)
  }

  tally(endedAt: Millis): PolicyTally {
    const brokenMainMs = this.#totals.brokenMainMs + this.#brokenFor(endedAt)
    return { ...this.#totals, failed: this.#evicted.size, brokenMainMs }
  }

  /**
   * True if the pull request breaks the branch, alone or together with one that is merged, or in the
   * queue and was submitted first. The figures of the real engine mean the same (S-57, S-272).
   */
  #breaks(number: number): boolean {
    const { truth, main } = this.#world
    const first = truth.partnersOf(number).filter((other) => this.#isFirst(other, number))
    return main.culprits([number, ...first]).includes(number)
  }

  /** True if it conflicts as text with one that is merged, or comes first and will merge. */
  #conflicts(number: number): boolean {
    const { truth, main } = this.#world
    const lands = (other: number): boolean =>
      main.holds(other) || (this.#isFirst(other, number) && !this.#breaks(other))
    return truth.conflictsOf(number).some(lands)
  }

  #isFirst(other: number, number: number): boolean {
    const own = this.#submittedAt.get(number) ?? 0
    const at = this.#submittedAt.get(other) ?? Infinity
    return this.#world.main.holds(other) || at < own || (at === own && other < number)
  }

  #brokenFor(at: Millis): Millis {
    return this.#brokenSince === null ? 0 : at - this.#brokenSince
  }
}
