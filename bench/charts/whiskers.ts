/** Means with their intervals, a line for everybody. */

import { color, type Chart } from '../../sim/report/chart.ts'
import type { Interval } from '../statistics/interval.ts'
import { plusMinus } from '../statistics/text.ts'
import { axisOver } from './axis.ts'

export type Whisker = {
  readonly what: string
  readonly interval: Interval
  /** A colour of the style. */
  readonly color: string
}

const sizes = {
  wide: { width: 270, row: 24, room: 0.45 },
  /** Names stand above: beside the lines there is no room for them. */
  narrow: { width: 290, row: 38, room: 0.4 },
} as const

/** `name` says what is shown, for those who do not see it. Where some are far off, by factors. */
export function whiskersChart(
  name: string,
  whiskers: readonly Whisker[],
  size: 'wide' | 'narrow',
): Chart {
  const { width, row, room } = sizes[size]
  // Room for the words behind the last one.
  const all = whiskers.flatMap(({ interval }) => [interval.low, interval.mean, interval.high])
  const { scale, ticks } = axisOver(all, { wanted: 4, room, isFromZero: true })
  const x = { field: 'mean', type: 'quantitative', scale } as const
  return {
    name,
    width,
    height: whiskers.length * row,
    rows: whiskers.map(({ what, interval, color: hue }) => ({
      ...{ what, ...interval },
      ...{ text: plusMinus(interval), color: color(hue) },
    })),
    encoding: {
      y: { field: 'what', type: 'nominal', sort: null, axis: size === 'wide' ? names : null },
    },
    layer: [
      {
        mark: { type: 'rule', opacity: 0.6, strokeWidth: 2 },
        encoding: {
          x: { ...x, field: 'low', axis: { title: null, ...ticks } },
          x2: { field: 'high' },
          color: { field: 'color', type: 'nominal', scale: null },
        },
      },
      {
        mark: { type: 'circle', size: 70, opacity: 1 },
        encoding: { x, color: { field: 'color', type: 'nominal', scale: null } },
      },
      {
        mark: { type: 'text', align: 'left', dx: 8 },
        encoding: { x: { ...x, field: 'high' }, text: { field: 'text', type: 'nominal' } },
      },
      ...(size === 'wide' ? [] : [namesAbove]),
    ],
  }
}

const names = {
  title: null,
  domain: false,
  ticks: false,
  offset: 8,
  labelLimit: 240,
  labelColor: color('ink'),
} as const

const namesAbove = {
  mark: { type: 'text', align: 'left', dy: -14, color: color('soft') },
  encoding: { x: { value: 0 }, text: { field: 'what', type: 'nominal' } },
} as const
