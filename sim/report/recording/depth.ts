/**
 * The number of pull requests in each phase over time: means and maxima of steps of equal length.
 * The means count how long each depth lasted, so a short rush in a long step stays small.
 */

import type { Millis } from '../../../engine/index.ts'
import { phases, type Phase } from './story.ts'

type PhaseCounts = Readonly<Record<Phase, number>>

export type DepthStep = {
  readonly from: Millis
  readonly to: Millis
  /** The mean number of pull requests in each phase, over the time of the step. */
  readonly means: PhaseCounts
  /** The maximum number of pull requests in the queue, at any instant of the step. */
  readonly most: number
}

/** Above this many steps, neighbours are joined to the next round length. */
const mostSteps = 800

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

/** Each length is a multiple of the one before; after a day they double. */
const lengths: readonly Millis[] = [
  ...[1, 3, 6, 12].map((seconds) => seconds * second),
  ...[1, 3, 6, 12].map((minutes) => minutes * minute),
  ...[1, 2, 4, 12].map((hours) => hours * hour),
  day,
]

type Summed = { readonly sums: Record<Phase, number>; most: number }

export class Depth {
  readonly #start: Millis
  readonly #counts = zeros()
  #depth = 0
  /** The counts since the last change, which lasted until now. */
  #held: PhaseCounts = zeros()
  #since: Millis
  #length = second
  #steps: Summed[] = []
  #deepest: { readonly at: Millis; readonly depth: number } | null = null

  /** `start` is the first instant that counts. */
  constructor(start: Millis = 0) {
    this.#start = start
    this.#since = start
  }

  /** Records that a pull request changed its phase; null means outside the queue. */
  move(from: Phase | null, to: Phase | null): void {
    if (from !== null) this.#add(from, -1)
    if (to !== null) this.#add(to, 1)
  }

  /** Notes the counts after a change. Returns true if the queue is deeper than ever before. */
  note(at: Millis): boolean {
    this.#advance(at)
    this.#held = { ...this.#counts }
    const step = this.#stepAt(at)
    step.most = Math.max(step.most, this.#depth)
    const isDeepest = this.#depth > (this.#deepest?.depth ?? 0)
    if (isDeepest) this.#deepest = { at, depth: this.#depth }
    return isDeepest
  }

  /** Returns the steps from the start to this instant, which is not before the last change. */
  stepsUntil(end: Millis): DepthStep[] {
    this.#advance(end)
    return this.#steps.flatMap(({ sums, most }, index) => {
      const from = this.#start + index * this.#length
      const to = Math.min(from + this.#length, end)
      return to <= from ? [] : [{ from, to, means: mapped(sums, (sum) => sum / (to - from)), most }]
    })
  }

  /** The first time at which the queue was deepest; null if it was always empty. */
  get deepest(): { readonly at: Millis; readonly depth: number } | null {
    return this.#deepest
  }

  #add(phase: Phase, by: number): void {
    this.#counts[phase] += by
    this.#depth += by
  }

  /** Counts the time since the last change. */
  #advance(at: Millis): void {
    const depth = depthOf(this.#held)
    while (this.#since < at) {
      // Widens first if there is no room, which moves the end of this step.
      this.#stepAt(at)
      const step = this.#stepAt(this.#since)
      const end = Math.min(at, this.#endOfStep(this.#since))
      for (const phase of phases) step.sums[phase] += this.#held[phase] * (end - this.#since)
      step.most = Math.max(step.most, depth)
      this.#since = end
    }
  }

  #stepAt(at: Millis): Summed {
    while (this.#indexOf(at) >= mostSteps) this.#widen()
    const index = this.#indexOf(at)
    while (this.#steps.length <= index) this.#steps.push({ sums: zeros(), most: 0 })
    return this.#steps[index] ?? { sums: zeros(), most: 0 }
  }

  #indexOf(at: Millis): number {
    return Math.floor((at - this.#start) / this.#length)
  }

  #endOfStep(at: Millis): Millis {
    return this.#start + (this.#indexOf(at) + 1) * this.#length
  }

  #widen(): void {
    const length = lengths.find((each) => each > this.#length) ?? this.#length * 2
    const joined = length / this.#length
    this.#length = length
    this.#steps = Array.from({ length: Math.ceil(this.#steps.length / joined) }, (_, index) =>
      together(this.#steps.slice(index * joined, (index + 1) * joined)),
    )
  }
}

export function depthOf(counts: PhaseCounts): number {
  return phases.reduce((sum, phase) => sum + counts[phase], 0)
}

function together(steps: readonly Summed[]): Summed {
  const sums = zeros()
  for (const each of steps) for (const phase of phases) sums[phase] += each.sums[phase]
  return { sums, most: Math.max(0, ...steps.map(({ most }) => most)) }
}

function zeros(): Record<Phase, number> {
  return { notReady: 0, waiting: 0, testing: 0, passed: 0, held: 0, bisecting: 0 }
}

function mapped(counts: PhaseCounts, to: (count: number) => number): Record<Phase, number> {
  const all = zeros()
  for (const phase of phases) all[phase] = to(counts[phase])
  return all
}

/** Joins neighbours, so that at most `wanted` steps are left: for a table and for tooltips. */
export function joinedSteps(steps: readonly DepthStep[], wanted: number): DepthStep[] {
  const size = Math.max(1, Math.ceil(steps.length / wanted))
  const starts = steps.filter((_, index) => index % size === 0)
  return starts.map(({ from }, index) => {
    const some = steps.slice(index * size, (index + 1) * size)
    const to = some.at(-1)?.to ?? from
    // A step counts as long as it lasts.
    const { sums, most } = together(
      some.map((each) => ({
        ...each,
        sums: mapped(each.means, (mean) => mean * (each.to - each.from)),
      })),
    )
    return { from, to, means: mapped(sums, (sum) => sum / (to - from)), most }
  })
}
