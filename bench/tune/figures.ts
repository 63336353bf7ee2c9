/** What settings are judged by, and what is told of them besides. */

import type { Figures } from '../../sim/result/result-document.ts'

/** Less is better in all of them. */
export const figureTable = {
  p95: { title: 'time in queue, p95', unit: 'min' },
  p50: { title: 'time in queue, p50', unit: 'min' },
  ciMinutes: { title: 'CI minutes per merge', unit: 'min' },
  runs: { title: 'test runs per merge', unit: '' },
  evicted: { title: 'healthy pull requests evicted', unit: '' },
  unproven: { title: 'merged without a run of that very tree', unit: '' },
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

/** Those that a setting must be good at; the front is drawn over them. */
export const goals = ['ciMinutes', 'p95', 'evicted'] as const satisfies readonly FigureName[]

/** Of one seed; null where nobody merged. */
export type TuneFigures = Readonly<Record<FigureName, number | null>> & {
  /** Of those that merge, so many healthy ones more are sent round again. */
  readonly sentRound: number
}

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
    sentRound: merged === 0 ? 0 : healthyEvicted / merged,
  }
}
