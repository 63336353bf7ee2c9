/** The figures of many runs that one looks for first, and how each is said. */

import { count, duration } from '../command-line/text.ts'
import type { Aggregate } from '../result/aggregate.ts'

export type ToldFigure = {
  readonly name: string
  /** Where it stands in the result of a run. */
  readonly path: string
  readonly unit: 'whole' | 'ratio' | 'minutes'
}

export const toldFigures: readonly ToldFigure[] = [
  { name: 'merged', path: 'totals.merged', unit: 'whole' },
  { name: 'failed', path: 'totals.failed', unit: 'whole' },
  { name: 'healthy evicted', path: 'totals.healthyEvicted', unit: 'whole' },
  { name: 'bad merged', path: 'totals.badMerged', unit: 'whole' },
  { name: 'test runs', path: 'totals.testRuns', unit: 'whole' },
  { name: 'runs per merge', path: 'runsPerMerge', unit: 'ratio' },
  { name: 'CI time', path: 'totals.testMinutes', unit: 'minutes' },
  { name: 'time in queue, half', path: 'timeInQueueMinutes.p50', unit: 'minutes' },
  { name: 'time in queue, 95 %', path: 'timeInQueueMinutes.p95', unit: 'minutes' },
  { name: 'main broken', path: 'totals.brokenMainMinutes', unit: 'minutes' },
]

/** Mean, interval, least and most, in words. */
export function aggregateWords({ mean, ci95, min, max }: Aggregate, unit: ToldFigure['unit']) {
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
