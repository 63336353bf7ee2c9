/** Charts of bars: horizontal ones, and a histogram. */

import { type Weekday, weekdays } from '../scenario/time.ts'
import {
  barTarget,
  type Chart,
  chartForAnyScreen,
  chartForWideCard,
  color,
  heat,
  targetMark,
  targetRows,
} from './chart.ts'
import type { Bar } from './pieces.ts'
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

const sizes = {
  wide: { width: 250, row: 24 },
  /** Names stand above the bars, because there is no room beside them. */
  narrow: { width: 290, row: 36 },
} as const

/** Returns the chart. `name` describes it to screen readers. */
export function barsChart(name: string, bars: readonly ChartBar[]): Promise<Html> {
  return chartForAnyScreen((size) => drawing(name, bars, size))
}

function drawing(name: string, bars: readonly ChartBar[], size: 'wide' | 'narrow'): Chart {
  const most = Math.max(...bars.map(({ amount }) => amount), 0)
  const { width, row } = sizes[size]
  return {
    name,
    width,
    height: bars.length * row,
    rows: bars.map(({ what, amount, text, color: fill }) => ({ what, amount, text, color: fill })),
    encoding: {
      y: { field: 'what', type: 'nominal', sort: null, axis: size === 'wide' ? names : null },
    },
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
          color: {
            field: 'color',
            type: 'nominal',
            scale: { domain: colorsIn(bars), range: colorsIn(bars).map(color) },
            legend: null,
          },
        },
      },
      {
        mark: { type: 'text', align: 'left', dx: 5 },
        encoding: {
          x: { field: 'amount', type: 'quantitative' },
          text: { field: 'text', type: 'nominal' },
        },
      },
      ...(size === 'wide' ? [] : [namesAbove]),
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

/** The library overestimates the width of letters: this limit leaves room for 25 of them. */
const names = {
  title: null,
  domain: false,
  ticks: false,
  labelLimit: 240,
  labelColor: color('ink'),
} as const

const namesAbove = {
  mark: { type: 'text', align: 'left', dy: -15, color: color('soft'), limit: 290 },
  encoding: { x: { value: 0 }, text: { field: 'what', type: 'nominal' } },
} as const

const colorsIn = (bars: readonly ChartBar[]): string[] => [...new Set(bars.map((bar) => bar.color))]

/** Vertical bars with parts of several colours, over time or by size. */
type StackedPart = {
  /** The label of the bar below the axis; bars are in the order of their first part. */
  readonly bar: string
  readonly part: string
  readonly amount: number
}

type StackedBars = {
  /** Describes the chart to screen readers. */
  readonly name: string
  readonly parts: readonly StackedPart[]
  /** The parts in the order in which they are stacked, from below, with the names of colours. */
  readonly styles: readonly { readonly part: string; readonly color: string }[]
  /** What the page lists of each bar, in their order; null for nothing. */
  readonly listed: readonly (Bar | null)[]
  /** The title of the axis below the bars. */
  readonly below?: string
}

const stackedSizes = {
  wide: { width: 370, height: 170, labels: 6 },
  narrow: { width: 270, height: 150, labels: 4 },
} as const

export function stackedBars({ name, parts, styles, listed, below }: StackedBars): Promise<Html> {
  const bars = [...new Set(parts.map(({ bar }) => bar))]
  const order = styles.map(({ part }) => part)
  const rows = parts.map((each) => ({ ...each, order: order.indexOf(each.part) }))
  return chartForAnyScreen((size) => {
    const { width, height, labels } = stackedSizes[size]
    const step = Math.ceil(bars.length / labels)
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
              scale: { domain: bars, paddingInner: 0.15 },
              axis: {
                title: below ?? null,
                labelAngle: 0,
                ticks: false,
                values: bars.filter((_, index) => index % step === 0),
              },
            },
            y: {
              field: 'amount',
              type: 'quantitative',
              axis: { title: null, tickCount: 4, format: ',d', tickMinStep: 1 },
            },
            order: { field: 'order', type: 'quantitative' },
            color: {
              field: 'part',
              type: 'nominal',
              scale: { domain: order, range: styles.map((style) => color(style.color)) },
              legend: null,
            },
          },
        },
        {
          data: { values: targetRows(listed, (index) => ({ bar: bars[index] })) },
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

/** A heat map of a week: a row for each weekday, a column for each hour. */
export type HourCell = {
  readonly weekday: Weekday
  readonly hour: number
  readonly amount: number
  /** What the page lists of the hour; null for an hour without any. */
  readonly bar: Bar | null
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)

const weekSizes = {
  wide: { width: 1060, row: 24, gap: 0.06, everyHours: 1 },
  medium: { width: 650, row: 24, gap: 0.06, everyHours: 1 },
  narrow: { width: 300, row: 26, gap: 0.04, everyHours: 6 },
} as const

/** Returns the colour of an amount, counted from 0. All colours cover a range of equal size. */
export function colorStep(amount: number, most: number): number {
  return Math.ceil((amount * heat.length) / Math.max(1, most)) - 1
}

export function weekHoursChart(name: string, cells: readonly HourCell[]): Promise<Html> {
  const most = Math.max(0, ...cells.map(({ amount }) => amount))
  const rows = targetRows(
    cells.map(({ bar }) => bar),
    (index) => {
      const { weekday = 'Mon', hour = 0, amount = 0 } = cells[index] ?? {}
      return { weekday, hour, step: colorStep(amount, most) }
    },
  )
  return chartForWideCard((size): Chart => {
    const { width, row, gap, everyHours } = weekSizes[size]
    const axis = { title: null, domain: false, ticks: false, labelAngle: 0 }
    return {
      name,
      width,
      height: weekdays.length * row,
      rows,
      encoding: {
        x: {
          field: 'hour',
          type: 'ordinal',
          scale: { domain: hours, paddingInner: gap, paddingOuter: 0 },
          axis: { ...axis, values: hours.filter((hour) => hour % everyHours === 0) },
        },
        y: {
          field: 'weekday',
          type: 'ordinal',
          scale: { domain: [...weekdays], paddingInner: gap, paddingOuter: 0 },
          axis,
        },
      },
      layer: [
        {
          data: { values: weekdays.flatMap((weekday) => hours.map((hour) => ({ weekday, hour }))) },
          mark: { type: 'rect', color: color('ground') },
        },
        {
          mark: { type: 'rect', aria: true },
          encoding: {
            ...barTarget,
            color: {
              field: 'step',
              type: 'ordinal',
              scale: { domain: heat.map((_, index) => index), range: [...heat] },
              legend: null,
            },
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
