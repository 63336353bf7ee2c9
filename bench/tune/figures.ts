/** The figures of a setting: those that judge it, and others that reports show. */

import type { Figures } from '../../sim/result/result-document.ts'

/** Less is better in all of them. */
export const figureTable = {
  p95: { title: 'time in queue, p95', unit: 'min' },
  p50: { title: 'time in queue, p50', unit: 'min' },
  ciMinutes: { title: 'CI minutes per merge', unit: 'min' },
  runs: { title: 'test runs per merge', unit: '' },
  evicted: { title: 'healthy pull requests evicted', unit: '' },
  unproven: { title: 'merged without a run of exactly that tree', unit: '' },
  broken: { title: 'main broken', unit: 'min' },
} as const satisfies Record<string, { readonly title: string; readonly unit: string }>

export type FigureName = keyof typeof figureTable

export const figureNames: readonly FigureName[] = [
  'p95',
  'p50',
  'ciMinutes',
  'runs',
  'evicted',
  'unproven',
  'broken',
]

/** The figures that decide which settings are dropped and which are on the Pareto front. */
export const goals = ['ciMinutes', 'p95', 'evicted'] as const satisfies readonly FigureName[]

/** The figures of one seed; null if nothing merged. */
export type TuneFigures = Readonly<Record<FigureName, number | null>> & {
  /** Healthy evictions per merge: each one causes another submission. */
  readonly resubmissionsPerMerge: number
}

/** Returns the figures of one simulated run. */
export function tuneFigures({ totals, timeInQueueMinutes, runsPerMerge }: Figures): TuneFigures {
  const { merged, testMinutes, healthyEvicted, brokenMainMinutes, unprovenMerges } = totals
  const { batchMiddle, optimistic, disjointTargets, direct } = unprovenMerges
  return {
    p95: timeInQueueMinutes.p95,
    p50: timeInQueueMinutes.p50,
    ciMinutes: merged === 0 ? null : testMinutes / merged,
    runs: runsPerMerge,
    evicted: healthyEvicted,
    unproven: batchMiddle + optimistic + disjointTargets + direct,
    broken: brokenMainMinutes,
    resubmissionsPerMerge: merged === 0 ? 0 : healthyEvicted / merged,
  }
}
