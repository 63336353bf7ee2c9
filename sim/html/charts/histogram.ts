/** A histogram of a figure over runs, with the mean and its confidence interval. */

import type { Aggregate } from '../../result/aggregate.ts'
import { chartForAnyScreen, color } from '../chart.ts'
import type { Html } from '../html.ts'

/** The legend. */
export const histogramStyles = [
  { color: 'testing', means: 'runs' },
  { color: 'ink', means: 'mean' },
  { color: 'held', means: '95 % interval of the mean' },
] as const

export type Histogram = {
  /** Describes the chart to screen readers. */
  readonly name: string
  /** The unit, shown below the axis; empty if there is none. */
  readonly title: string
  /** At least two different values. */
  readonly values: readonly number[]
  readonly aggregate: Aggregate
  /** True if all values are whole numbers. Then each bin covers a whole number of them. */
  readonly isWhole: boolean
}

export type ValueBin = { readonly from: number; readonly to: number; readonly count: number }

const mostBins = 24

/** Few runs get few bins, because otherwise most bins would be empty. */
function binsFor(runs: number): number {
  return Math.min(mostBins, Math.max(5, Math.ceil(2 * Math.sqrt(runs))))
}

/** Returns bins of equal width from the minimum to the maximum; whole numbers lie inside a bin. */
export function valueBins(values: readonly number[], isWhole: boolean): ValueBin[] {
  const bounds = values.reduce(
    ({ least, most }, value) => ({ least: Math.min(least, value), most: Math.max(most, value) }),
    { least: Infinity, most: -Infinity },
  )
  const { least, most } = bounds
  const wanted = binsFor(values.length)
  const width = isWhole ? Math.ceil((most - least + 1) / wanted) : (most - least) / wanted || 1
  const start = isWhole ? least - 0.5 : least
  const bins = isWhole ? Math.ceil((most - least + 1) / width) : wanted
  const counts = Array.from({ length: bins }, () => 0)
  for (const value of values) {
    const index = Math.min(bins - 1, Math.floor((value - start) / width))
    counts[index] = (counts[index] ?? 0) + 1
  }
  return counts.map((count, index) => ({
    from: start + index * width,
    to: start + (index + 1) * width,
    count,
  }))
}

export function histogramChart({
  name,
  title,
  values,
  aggregate,
  isWhole,
}: Histogram): Promise<Html> {
  const bins = valueBins(values, isWhole)
  const [low, high] = aggregate.ci95 ?? [aggregate.mean, aggregate.mean]
  const ends = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1, low, high]
  const scale = { domain: [Math.min(...ends), Math.max(...ends)], nice: false, zero: false }
  const mostRuns = bins.reduce((most, bin) => Math.max(most, bin.count), 0)
  return chartForAnyScreen((size) => {
    const [width, height] = size === 'wide' ? [360, 150] : [280, 130]
    const x = { type: 'quantitative', scale } as const
    return {
      name,
      width,
      height,
      rows: bins,
      layer: [
        {
          data: { values: [{ low, high }] },
          mark: { type: 'rect', color: color('held'), opacity: 0.4 },
          encoding: {
            x: { ...x, field: 'low' },
            x2: { field: 'high' },
            y: { value: 0 },
            y2: { value: height },
          },
        },
        {
          mark: { type: 'rect', color: color('testing'), stroke: color('paper'), strokeWidth: 1 },
          encoding: {
            x: {
              ...x,
              field: 'from',
              axis: {
                title: title === '' ? null : title,
                tickCount: 5,
                grid: false,
                ...(isWhole ? { tickMinStep: 1 } : {}),
              },
            },
            x2: { field: 'to' },
            y: {
              field: 'count',
              type: 'quantitative',
              axis: { title: null, tickCount: Math.min(4, mostRuns), format: ',d' },
              // Keeps the interval visible above the highest bin.
              scale: { domain: [0, mostRuns * 1.15], nice: false },
            },
            y2: { datum: 0 },
          },
        },
        {
          data: { values: [{ mean: aggregate.mean }] },
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: { x: { ...x, field: 'mean' } },
        },
      ],
    }
  })
}
