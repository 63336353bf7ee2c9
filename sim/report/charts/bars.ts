/** Bars that lie: what, and how much of it. */

import { chart, color } from '../chart.ts'
import type { Html } from '../html.ts'

export type Bar = {
  readonly what: string
  readonly amount: number
  /** The amount as people say it. */
  readonly text: string
  /** A colour of the style. */
  readonly color: string
}

/** `name` says what is shown, for those who do not see it. */
export function barsChart(name: string, bars: readonly Bar[]): Promise<Html> {
  const most = Math.max(...bars.map(({ amount }) => amount), 0)
  const y = {
    field: 'what',
    type: 'nominal',
    sort: null,
    axis: { title: null, domain: false, ticks: false, labelLimit: 150, labelColor: color('ink') },
  } as const
  return chart({
    name,
    width: 250,
    height: bars.length * 24,
    rows: bars,
    encoding: { y },
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
    ],
  })
}

const colorsIn = (bars: readonly Bar[]): string[] => [...new Set(bars.map((bar) => bar.color))]
