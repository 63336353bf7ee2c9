/** A horizontal bar chart. */

import {
  chartForAnyScreen,
  color,
  type Chart,
  barTarget,
  targetMark,
  targetRows,
} from '../chart.ts'
import type { Bar } from '../bar-list.ts'
import type { Html } from '../html.ts'

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
