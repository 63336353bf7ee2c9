/** A histogram, with marks at some values. */

import type { Bar } from '../bar-list.ts'
import { barTarget, chartForAnyScreen, color, targetMark, targetRows } from '../chart.ts'
import type { Html } from '../html.ts'

/** The legend of a figure over runs. */
export const histogramStyles = [
  { color: 'testing', means: 'runs' },
  { color: 'ink', means: 'mean' },
  { color: 'held', means: '95 % interval of the mean' },
] as const

export type Bin = {
  readonly from: number
  readonly to: number
  /** The positions of its values. */
  readonly at: readonly number[]
}

type Binning = {
  /** True if all values are whole numbers. Then each bin covers a whole number of them. */
  readonly isWhole?: boolean
  /** Where the first bin begins; at the least value if left out. */
  readonly from?: number
}

const mostBins = 24

/** Few values get few bins, because otherwise most bins would be empty. */
function binsFor(values: number): number {
  return Math.min(mostBins, Math.max(5, Math.ceil(2 * Math.sqrt(values))))
}

/** Returns bins of equal width up to the greatest value; whole numbers lie inside a bin. */
export function binsOf(
  values: readonly number[],
  { isWhole = false, from = Infinity }: Binning = {},
): Bin[] {
  const least = values.reduce((low, value) => Math.min(low, value), from)
  const most = values.reduce((high, value) => Math.max(high, value), -Infinity)
  const wanted = binsFor(values.length)
  const width = isWhole ? Math.ceil((most - least + 1) / wanted) : (most - least) / wanted || 1
  const start = isWhole ? least - 0.5 : least
  const length = isWhole ? Math.ceil((most - least + 1) / width) : wanted
  const found = Array.from({ length }, (): number[] => [])
  for (const [at, value] of values.entries()) {
    found[Math.min(length - 1, Math.floor((value - start) / width))]?.push(at)
  }
  return found.map((at, index) => {
    return { from: start + index * width, to: start + (index + 1) * width, at }
  })
}

export type Histogram = {
  /** Describes the chart to screen readers. */
  readonly name: string
  readonly bins: readonly Bin[]
  /** The axis of the values, as the chart library has it. */
  readonly axis: object
  /** A label may be empty. */
  readonly marks: readonly { readonly at: number; readonly label: string }[]
  /** The interval of a mark; null for none. */
  readonly interval?: readonly [low: number, high: number] | null
  /** What the page lists of each bin; null for nothing. */
  readonly lists?: readonly (Bar | null)[]
}

export function histogramChart({ name, bins, axis, marks, ...more }: Histogram): Promise<Html> {
  const { interval = null, lists = [] } = more
  const rows = bins.map(({ from, to, at }) => ({ from, to, count: at.length }))
  const ends = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1, ...(interval ?? [])]
  const scale = { domain: [Math.min(...ends), Math.max(...ends)], nice: false, zero: false }
  const most = rows.reduce((high, { count }) => Math.max(high, count), 0)
  return chartForAnyScreen((size) => {
    const [width, height] = size === 'wide' ? [370, 160] : [280, 140]
    const x = { type: 'quantitative', scale } as const
    const whole = { x2: { field: 'to' }, y: { value: 0 }, y2: { value: height } }
    return {
      ...{ name, width, height, rows },
      layer: [
        {
          data: { values: interval ? [{ from: interval[0], to: interval[1] }] : [] },
          mark: { type: 'rect', color: color('held'), opacity: 0.4 },
          encoding: { x: { ...x, field: 'from' }, ...whole },
        },
        {
          mark: { type: 'rect', color: color('testing'), stroke: color('paper'), strokeWidth: 1 },
          encoding: {
            x: { ...x, field: 'from', axis: { title: null, grid: false, ...axis } },
            x2: { field: 'to' },
            y: {
              field: 'count',
              type: 'quantitative',
              axis: { title: null, tickCount: Math.min(4, most), format: ',d' },
              // Keeps marks visible above the highest bin.
              scale: { domain: [0, most * 1.15], nice: false },
            },
            y2: { datum: 0 },
          },
        },
        {
          data: { values: [...marks] },
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: { x: { ...x, field: 'at' } },
        },
        // Each label has a separate line, because marks may be close together.
        ...marks.map((mark, line) => ({
          data: { values: [mark] },
          mark: { type: 'text', align: 'left', baseline: 'top', dx: 4, y: line * 14 } as const,
          encoding: {
            x: { ...x, field: 'at' },
            text: { field: 'label', type: 'nominal' },
          } as const,
        })),
        {
          data: { values: targetRows(lists, (index) => ({ ...rows[index] })) },
          mark: targetMark,
          encoding: { ...barTarget, x: { ...x, field: 'from' }, ...whole },
        },
      ],
    }
  })
}
