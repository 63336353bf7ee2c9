/** A chart of means with confidence intervals, one line per item. */

import { color, type Chart } from '../../sim/html/chart.ts'
import { centreOf, lineOf, type Interval } from '../../sim/statistics/interval.ts'
import { cellText } from '../statistics/text.ts'
import { axisOver } from './axis.ts'

export type Whisker = {
  /** The name of the item. */
  readonly what: string
  readonly interval: Interval
  /** The name of a colour in the style. */
  readonly color: string
}

const sizes = {
  wide: { width: 270, row: 24, padding: 0.45 },
  /** The names are above the lines, because there is no room next to them. */
  narrow: { width: 290, row: 38, padding: 0.4 },
} as const

/**
 * Returns a chart for a wide or a narrow screen. `name` is the description for screen readers. The
 * axis is logarithmic if the values are far apart.
 */
export function whiskersChart(
  name: string,
  whiskers: readonly Whisker[],
  size: 'wide' | 'narrow',
): Chart {
  const { width, row, padding } = sizes[size]
  // The padding leaves room for the text after the longest line.
  const all = whiskers.flatMap(({ interval }) => {
    const { low, high } = lineOf(interval)
    return [low, centreOf(interval), high]
  })
  const { scale, ticks } = axisOver(all, { wanted: 4, padding, isFromZero: true })
  const x = { field: 'mean', type: 'quantitative', scale } as const
  return {
    name,
    width,
    height: whiskers.length * row,
    rows: whiskers.map(({ what, interval, color: hue }) => ({
      ...{ what, mean: centreOf(interval), ...lineOf(interval) },
      ...{ text: cellText(interval), color: color(hue) },
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
