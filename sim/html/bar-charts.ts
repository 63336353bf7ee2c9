/** Charts of bars: horizontal ones, and a histogram. */

import {
  barTarget,
  type Chart,
  chartInSizes,
  color,
  ownColor,
  targetMark,
  targetRows,
} from './chart.ts'
import type { Bar } from './components.ts'
import type { Html } from './html.ts'

export type ChartBar = {
  readonly what: string
  readonly amount: number
  /** The amount with its unit, as text. */
  readonly text: string
  /** The name of a colour of the style. */
  readonly color: string
  /** What the page lists of it; null for nothing. */
  readonly bar: Bar | null
}

/** Of charts with a name for each row: on a phone it stands above, because there is no room beside it. */
export const rowSizes = {
  wide: { width: 330, row: 24, hasRoom: true },
  narrow: { width: 290, row: 36, hasRoom: false },
}

export type RowSize = (typeof rowSizes)['wide']

/** Returns the chart. `name` describes it to screen readers. */
export function barsChart(name: string, bars: readonly ChartBar[]): Promise<Html> {
  return chartInSizes(rowSizes, (size) => drawing(name, bars, size))
}

function drawing(name: string, bars: readonly ChartBar[], { width, row, hasRoom }: RowSize): Chart {
  const most = Math.max(...bars.map(({ amount }) => amount), 0)
  return {
    name,
    width,
    height: bars.length * row,
    rows: bars.map(({ bar: _bar, ...each }) => ({ ...each, color: color(each.color) })),
    encoding: { y: rowNames(hasRoom) },
    layer: [
      {
        mark: { type: 'bar', height: 14 },
        encoding: {
          // Leaves room for the text after the longest bar.
          x: {
            field: 'amount',
            type: 'quantitative',
            axis: null,
            scale: { domain: [0, Math.max(most * 1.45, 1e-9)] },
          },
          color: ownColor,
        },
      },
      {
        mark: { type: 'text', align: 'left', dx: 5 },
        encoding: {
          x: { field: 'amount', type: 'quantitative' },
          text: { field: 'text', type: 'nominal' },
        },
      },
      ...namesAbove(hasRoom),
      {
        data: {
          values: targetRows(
            bars.map(({ bar }) => bar),
            (index) => ({ what: bars[index]?.what }),
          ),
        },
        mark: targetMark,
        encoding: { ...barTarget, x: { value: 0 }, x2: { value: width } },
      },
    ],
  }
}

/** The names beside the rows. The library overestimates the width of letters: the limit leaves room for 25 of them. */
export const rowNames = (hasRoom: boolean) =>
  ({
    field: 'what',
    type: 'nominal',
    sort: null,
    axis: hasRoom
      ? {
          title: null,
          domain: false,
          ticks: false,
          labelLimit: 240,
          labelColor: color('ink'),
          // A dot at zero does not touch its name.
          labelPadding: 8,
        }
      : null,
  }) as const

const nameAbove = {
  mark: { type: 'text', align: 'left', dy: -15, color: color('soft'), limit: 290 },
  encoding: { x: { value: 0 }, text: { field: 'what', type: 'nominal' } },
} as const

/** The layer with the names above the rows. */
export const namesAbove = (hasRoom: boolean) => (hasRoom ? [] : [nameAbove])

type StackedBar = {
  /** Stands below the axis. */
  readonly label: string
  /** The parts from below, each in the colour of the style in its place. */
  readonly amounts: readonly number[]
  /** What the page lists of it; null for nothing. */
  readonly bar: Bar | null
}

/** Vertical bars with parts of several colours, over time or by size. */
type StackedBars = {
  /** Describes the chart to screen readers. */
  readonly name: string
  readonly styles: readonly { readonly color: string }[]
  readonly bars: readonly StackedBar[]
  /** The title of the axis below the bars. */
  readonly below?: string
}

const stackedSizes = {
  wide: { width: 470, height: 190, labels: 6 },
  narrow: { width: 270, height: 150, labels: 4 },
}

export function stackedBars({ name, styles, bars, below }: StackedBars): Promise<Html> {
  const names = bars.map(({ label }) => label)
  const rows = bars.flatMap(({ label, amounts }) =>
    styles.map((style, order) => {
      return { bar: label, amount: amounts[order] ?? 0, color: color(style.color), order }
    }),
  )
  return chartInSizes(stackedSizes, ({ width, height, labels }) => {
    const step = Math.ceil(names.length / labels)
    return {
      name,
      width,
      height,
      rows,
      layer: [
        {
          name: 'bars',
          mark: { type: 'bar' },
          encoding: {
            x: {
              field: 'bar',
              type: 'nominal',
              sort: null,
              scale: { domain: names, paddingInner: 0.15 },
              axis: {
                title: below ?? null,
                labelAngle: 0,
                ticks: false,
                values: names.filter((_, index) => index % step === 0),
              },
            },
            y: {
              field: 'amount',
              type: 'quantitative',
              axis: { title: null, tickCount: 4, format: ',d', tickMinStep: 1 },
            },
            order: { field: 'order', type: 'quantitative' },
            color: ownColor,
          },
        },
        {
          data: {
            values: targetRows(
              bars.map(({ bar }) => bar),
              (index) => ({ bar: names[index] }),
            ),
          },
          mark: targetMark,
          encoding: {
            ...barTarget,
            x: { field: 'bar', type: 'nominal', sort: null },
            y: { value: 0 },
            y2: { value: height },
          },
        },
      ],
    }
  })
}

// A histogram, with marks at some values.

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

type Histogram = {
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

const histogramSizes = {
  wide: { width: 470, height: 180 },
  narrow: { width: 280, height: 140 },
}

export function histogramChart({ name, bins, axis, marks, ...more }: Histogram): Promise<Html> {
  const { interval = null, lists = [] } = more
  const rows = bins.map(({ from, to, at }) => ({ from, to, count: at.length }))
  const ends = [bins[0]?.from ?? 0, bins.at(-1)?.to ?? 1, ...(interval ?? [])]
  const scale = { domain: [Math.min(...ends), Math.max(...ends)], nice: false, zero: false }
  const most = rows.reduce((high, { count }) => Math.max(high, count), 0)
  return chartInSizes(histogramSizes, ({ width, height }) => {
    const x = { type: 'quantitative', scale } as const
    const whole = { x2: { field: 'to' }, y: { value: 0 }, y2: { value: height } }
    return {
      name,
      width,
      height,
      rows,
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

/** Points, with a line through those of each colour. */
type Lines = {
  /** Describes the chart to screen readers. */
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number; readonly color: string }[]
  /** The scale and the axis of each direction, as the chart library has them. */
  readonly x: object
  readonly y: object
}

export function linesChart(
  { name, points, x, y }: Lines,
  sizes: Parameters<typeof chartInSizes<{ readonly width: number; readonly height: number }>>[0],
): Promise<Html> {
  const rows = points.map((point) => ({ ...point, color: color(point.color) }))
  return chartInSizes(sizes, (size) => ({
    name,
    ...size,
    rows,
    encoding: {
      x: { field: 'x', type: 'quantitative', ...x },
      y: { field: 'y', type: 'quantitative', ...y },
      color: ownColor,
    },
    layer: [
      { mark: { type: 'line', strokeWidth: 2 } },
      { mark: { type: 'circle', size: 40, opacity: 1 } },
    ],
  }))
}
