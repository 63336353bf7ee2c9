/** Bars that lie: what, and how much of it. */

import { chartForAnyScreen, color, type Chart } from '../chart.ts'
import type { Html } from '../html.ts'

export type Bar = {
  readonly what: string
  readonly amount: number
  /** The amount as people say it. */
  readonly text: string
  /** A colour of the style. */
  readonly color: string
}

const sizes = {
  wide: { width: 250, row: 24 },
  /** What they are stands above them: beside them there is no room for it. */
  narrow: { width: 290, row: 36 },
} as const

/** `name` says what is shown, for those who do not see it. */
export function barsChart(name: string, bars: readonly Bar[]): Promise<Html> {
  return chartForAnyScreen((size) => drawing(name, bars, size))
}

function drawing(name: string, bars: readonly Bar[], size: 'wide' | 'narrow'): Chart {
  const most = Math.max(...bars.map(({ amount }) => amount), 0)
  const { width, row } = sizes[size]
  return {
    name,
    width,
    height: bars.length * row,
    rows: bars,
    encoding: {
      y: { field: 'what', type: 'nominal', sort: null, axis: size === 'wide' ? names : null },
    },
    layer: [
      {
        mark: { type: 'bar', height: 14 },
        encoding: {
          // Room for the text behind the longest.
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
    ],
  }
}

/** The library takes letters for wider than they are: this is room for twenty-five of them. */
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

const colorsIn = (bars: readonly Bar[]): string[] => [...new Set(bars.map((bar) => bar.color))]
