/** The figures of a setting: those that judge it, and others that reports show. */

import type { Figures } from '../../../sim/result/result-document.ts'

/** Less is better in all of them. */
export const figureTable = {
  p95: { title: 'time to land, p95', unit: 'min' },
  p50: { title: 'time to land, p50', unit: 'min' },
  queueP95: { title: 'time in queue, p95', unit: 'min' },
  ciMinutes: { title: 'CI minutes per landed pull request', unit: 'min' },
  price: { title: 'price per landed pull request', unit: '' },
  runs: { title: 'test runs per landed pull request', unit: '' },
  evicted: { title: 'healthy pull requests evicted', unit: '' },
  unproven: { title: 'merged without a run of exactly that tree', unit: '' },
  midBatch: { title: 'of them in the middle of a batch', unit: '' },
  clearedBySuccessor: { title: 'of them cleared by a successor', unit: '' },
  disjointTargets: { title: 'of them beside disjoint targets', unit: '' },
  direct: { title: 'of them without a run', unit: '' },
  broken: { title: 'main broken', unit: 'min' },
  meanSlots: { title: 'slots in use, mean', unit: '' },
  peakSlots: { title: 'slots in use, peak', unit: '' },
} as const satisfies Record<string, { readonly title: string; readonly unit: string }>

export type FigureName = keyof typeof figureTable

export const figureNames: readonly FigureName[] = [
  'p95',
  'p50',
  'queueP95',
  'ciMinutes',
  'price',
  'runs',
  'evicted',
  'unproven',
  'midBatch',
  'clearedBySuccessor',
  'disjointTargets',
  'direct',
  'broken',
  'meanSlots',
  'peakSlots',
]

/** The name of a figure with its unit, for the head of a table. */
export function titleOf(name: FigureName): string {
  const { title, unit } = figureTable[name]
  return unit === '' ? title : `${title}, ${unit}`
}

/** The figures that are compared as ratios. The others are counts, of which many are zero. */
export const ratioFigures: ReadonlySet<FigureName> = new Set([
  'p95',
  'p50',
  'queueP95',
  'ciMinutes',
  'price',
  'runs',
  'meanSlots',
  'peakSlots',
])

/** The figures of one seed; null if nothing landed, or no price was given. */
export type TuneFigures = Readonly<Record<FigureName, number | null>> & {
  readonly landed: number
  /** The p95 of the lengths of main runs that passed; null if none did. */
  readonly runP95: number | null
  /** The largest number of main runs at once. */
  readonly peakMainRuns: number
}

/** Returns the figures of one simulated run. `runP95` is measured beside them. */
export function tuneFigures(figures: Figures, runP95: number | null): TuneFigures {
  const { totals, timeInQueueMinutes, timeToLandMinutes, runsPerMerge, endedAtMinutes } = figures
  const { merged, testMinutes, unprovenMerges, peakMainRuns, peakBisectionRuns } = totals
  const { batchMiddle, optimistic, disjointTargets, direct } = unprovenMerges
  return {
    p95: timeToLandMinutes.p95,
    p50: timeToLandMinutes.p50,
    queueP95: timeInQueueMinutes.p95,
    ciMinutes: merged === 0 ? null : testMinutes / merged,
    price: figures.price?.perLanded ?? null,
    runs: runsPerMerge,
    evicted: totals.healthyEvicted,
    unproven: batchMiddle + optimistic + disjointTargets + direct,
    midBatch: batchMiddle,
    clearedBySuccessor: optimistic,
    disjointTargets,
    direct,
    broken: totals.brokenMainMinutes,
    meanSlots: endedAtMinutes === 0 ? 0 : testMinutes / endedAtMinutes,
    peakSlots: peakMainRuns + peakBisectionRuns,
    landed: merged,
    runP95,
    peakMainRuns,
  }
}
