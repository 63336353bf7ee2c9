/** Counts the pull requests in each phase over time. */

import type { Millis } from '../../../engine/index.ts'
import { phases, type Phase } from './phase.ts'

export type PhaseCounts = Readonly<Record<Phase, number>>
export type DepthSample = { readonly at: Millis; readonly counts: PhaseCounts }

/** Above this many samples, every second one is dropped, and the sampling rate is halved. */
const mostSamples = 4000

export class Depth {
  readonly #counts = Object.fromEntries(phases.map((phase) => [phase, 0]))
  #samples: DepthSample[] = []
  #stride = 1
  #changes = 0
  #deepest: DepthSample | null = null
  #depth = 0

  /** Records that a pull request changed its phase; null means outside the queue. */
  move(from: Phase | null, to: Phase | null): void {
    if (from !== null) this.#add(from, -1)
    if (to !== null) this.#add(to, 1)
  }

  /** Takes a sample after a change. Returns true if the queue is deeper than ever before. */
  note(at: Millis): boolean {
    const isDeepest = this.#depth > depthOf(this.#deepest?.counts)
    if (isDeepest || this.#changes++ % this.#stride === 0) this.#keep(at, isDeepest)
    return isDeepest
  }

  /** The samples in order of time; of several samples at one instant only the last. */
  get samples(): readonly DepthSample[] {
    return this.#samples
  }

  /** The first time at which the queue was deepest; null if it was always empty. */
  get deepest(): { readonly at: Millis; readonly depth: number } | null {
    return this.#deepest && { at: this.#deepest.at, depth: depthOf(this.#deepest.counts) }
  }

  #add(phase: Phase, by: number): void {
    this.#counts[phase] = (this.#counts[phase] ?? 0) + by
    this.#depth += by
  }

  #keep(at: Millis, isDeepest: boolean): void {
    const {
      notReady = 0,
      waiting = 0,
      testing = 0,
      passed = 0,
      held = 0,
      bisecting = 0,
    } = this.#counts
    const sample = { at, counts: { notReady, waiting, testing, passed, held, bisecting } }
    if (isDeepest) this.#deepest = sample
    if (this.#samples.at(-1)?.at === at) this.#samples.pop()
    this.#samples.push(sample)
    if (this.#samples.length <= mostSamples) return
    this.#samples = this.#samples.filter((each, index) => index % 2 === 0 || each === this.#deepest)
    this.#stride *= 2
  }
}

export function depthOf(counts: PhaseCounts | undefined): number {
  return counts ? phases.reduce((sum, phase) => sum + counts[phase], 0) : 0
}
