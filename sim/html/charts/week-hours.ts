/** A heat map of a week: a row for each weekday, a column for each hour. */

import { weekdays, type Weekday } from '../../scenario/calendar.ts'
import { chartForWideCard, color, heat, type Chart, barTarget, targetRows } from '../chart.ts'
import type { Bar } from '../bar-list.ts'
import type { Html } from '../html.ts'

export type HourCell = {
  readonly weekday: Weekday
  readonly hour: number
  readonly amount: number
  /** What the page lists of the hour; null for an hour without any. */
  readonly bar: Bar | null
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)

const sizes = {
  wide: { width: 1060, row: 24, gap: 0.06, everyHours: 1 },
  medium: { width: 650, row: 24, gap: 0.06, everyHours: 1 },
  narrow: { width: 300, row: 26, gap: 0.04, everyHours: 6 },
} as const

/** Without the lightest colour, which looks like that of an empty hour. */
const colors = heat.slice(1)

/** Returns the colour of an amount, counted from 0. All colours cover a range of equal size. */
export function colorStep(amount: number, most: number): number {
  return Math.ceil((amount * colors.length) / Math.max(1, most)) - 1
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
    const { width, row, gap, everyHours } = sizes[size]
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
              scale: { domain: colors.map((_, index) => index), range: [...colors] },
              legend: null,
            },
          },
        },
      ],
    }
  })
}
