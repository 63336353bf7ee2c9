/** Vertical bars with parts of several colours, over time or by size. */

import { chartForAnyScreen, color, barTarget, targetMark, targetRows } from '../chart.ts'
import type { Bar } from '../bar-list.ts'
import type { Html } from '../html.ts'

type StackedPart = {
  /** The label of the bar below the axis; bars are in the order of their first part. */
  readonly bar: string
  readonly part: string
  readonly amount: number
}

export type StackedBars = {
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

const sizes = {
  wide: { width: 370, height: 170, labels: 6 },
  narrow: { width: 270, height: 150, labels: 4 },
} as const

export function stackedBars({ name, parts, styles, listed, below }: StackedBars): Promise<Html> {
  const bars = [...new Set(parts.map(({ bar }) => bar))]
  const order = styles.map(({ part }) => part)
  const rows = parts.map((each) => ({ ...each, order: order.indexOf(each.part) }))
  return chartForAnyScreen((size) => {
    const { width, height, labels } = sizes[size]
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
