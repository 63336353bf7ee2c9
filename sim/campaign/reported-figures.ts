/** The most important figures of a campaign, with their names and units. */

import { count, duration } from '../terminal/text.ts'
import type { Aggregate } from '../result/aggregate.ts'

export type ReportedFigure = {
  readonly name: string
  /** The dotted path in the result of a run. */
  readonly path: string
  readonly unit: 'whole' | 'ratio' | 'minutes'
}

export const reportedFigures: readonly ReportedFigure[] = [
  { name: 'merged', path: 'totals.merged', unit: 'whole' },
  { name: 'failed', path: 'totals.failed', unit: 'whole' },
  { name: 'healthy PRs evicted', path: 'totals.healthyEvicted', unit: 'whole' },
  { name: 'bad PRs merged', path: 'totals.badMerged', unit: 'whole' },
  { name: 'test runs', path: 'totals.testRuns', unit: 'whole' },
  { name: 'runs per merge', path: 'runsPerMerge', unit: 'ratio' },
  { name: 'CI time', path: 'totals.testMinutes', unit: 'minutes' },
  { name: 'time in queue, median', path: 'timeInQueueMinutes.p50', unit: 'minutes' },
  { name: 'time in queue, p95', path: 'timeInQueueMinutes.p95', unit: 'minutes' },
  { name: 'main broken', path: 'totals.brokenMainMinutes', unit: 'minutes' },
]

/** Formats the mean, its interval, the minimum and the maximum as text. */
export function aggregateText({ mean, ci95, min, max }: Aggregate, unit: ReportedFigure['unit']) {
  const text = { whole: count, ratio: String, minutes: duration }[unit]
  const rounded = (number: number): string => text(Math.round(number * 100) / 100)
  const [low, high] = ci95
  return {
    mean: rounded(mean),
    interval: `${rounded(low)} to ${rounded(high)}`,
    least: rounded(min),
    most: rounded(max),
  }
}
