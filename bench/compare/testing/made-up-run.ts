/** Figures of a run that nobody made, to judge with. */

import { figuresOfPolicy, type ComparedFigures } from '../../queues/figures.ts'

const minute = 60_000

export type MadeUp = {
  /** The minutes that each pull request takes to land. */
  readonly p95: number
  /** The minutes of CI for each. */
  readonly ci: number
  readonly evicted: number
}

/** Ten pull requests land in a run. */
export function madeUpRun({ p95, ci, evicted }: MadeUp): ComparedFigures {
  const times = Array.from({ length: 10 }, () => p95 * minute)
  return figuresOfPolicy({
    timesInQueue: times,
    timesToLand: times,
    failed: 0,
    testRuns: 10,
    testMs: 10 * ci * minute,
    healthyEvicted: evicted,
    clashed: 0,
    heldBack: 0,
    badMerged: 0,
    brokenMainMs: 0,
    peakRuns: 1,
  })
}
