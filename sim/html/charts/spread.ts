/** A histogram of durations, with marks for percentiles. */

import { count, duration, several } from '../../../server/terminal/text.ts'
import { chart, color, barTarget, targetMark, targetRows } from '../chart.ts'
import type { Bar } from '../bar-list.ts'
import type { Html } from '../html.ts'

export type Bin = { readonly from: number; readonly to: number; readonly numbers: number[] }

/** How long something took for a pull request. */
export type Took = { readonly number: number; readonly minutes: number }

const bins = 40
const height = 170

/** Sorts durations into bins of equal width, from zero to the longest. All values are minutes. */
export function binsOf(all: readonly Took[]): Bin[] {
  const longest = all.reduce((most, { minutes }) => Math.max(most, minutes), 0)
  const width = longest === 0 ? 1 : longest / bins
  const found = Array.from({ length: bins }, (_, index): Bin => ({
    from: index * width,
    to: (index + 1) * width,
    numbers: [],
  }))
  for (const { number, minutes } of all) {
    found[Math.min(bins - 1, Math.floor(minutes / width))]?.numbers.push(number)
  }
  return found
}

/** Returns what the page lists of each bin; null for an empty one. */
export function binBars(all: readonly Bin[]): (Bar | null)[] {
  return all.map((bin) =>
    bin.numbers.length === 0
      ? null
      : {
          about: `${rangeOf(bin)}: ${several(bin.numbers.length, 'pull request')}`,
          members: [{ what: '', numbers: bin.numbers }],
        },
  )
}

const rangeOf = ({ from, to }: Bin): string => `${duration(from)} to ${duration(to)}`

export type ChartMark = { readonly minutes: number; readonly label: string }

export function spreadChart(
  name: string,
  all: readonly Bin[],
  marks: readonly ChartMark[],
): Promise<Html> {
  const longest = all.at(-1)?.to ?? 0
  const counted = all.map(({ from, to, numbers }) => ({ from, to, count: numbers.length }))
  const most = counted.reduce((high, bin) => Math.max(high, bin.count), 0)
  return chart({
    name,
    width: 380,
    height,
    rows: counted,
    layer: [
      {
        mark: { type: 'rect', color: color('testing'), stroke: color('paper'), strokeWidth: 1 },
        encoding: {
          x: {
            field: 'from',
            type: 'quantitative',
            axis: { ...timeAxis(longest, 6), title: null, grid: false },
            scale: { domain: [0, longest], nice: false },
          },
          x2: { field: 'to' },
          y2: { datum: 0 },
          y: {
            field: 'count',
            type: 'quantitative',
            axis: { title: null, tickCount: Math.min(4, most), format: ',d' },
          },
        },
      },
      {
        data: { values: [...marks] },
        mark: { type: 'rule', strokeDash: [3, 3] },
        encoding: { x: { field: 'minutes', type: 'quantitative' } },
      },
      // Each label has a separate line, because marks may be close together.
      ...marks.map((mark, line) => ({
        data: { values: [mark] },
        mark: { type: 'text', align: 'left', baseline: 'top', dx: 3, y: line * 14 } as const,
        encoding: {
          x: { field: 'minutes', type: 'quantitative' },
          text: { field: 'label', type: 'nominal' },
        } as const,
      })),
      {
        data: { values: targetRows(binBars(all), (index) => ({ ...counted[index] })) },
        mark: targetMark,
        encoding: {
          ...barTarget,
          x: { field: 'from', type: 'quantitative' },
          x2: { field: 'to' },
          y: { value: 0 },
          y2: { value: height },
        },
      },
    ],
  })
}

/** Returns the bins that are not empty as table rows. */
export function binRows(all: readonly Bin[]): string[][] {
  return all
    .filter(({ numbers }) => numbers.length > 0)
    .map((bin) => [rangeOf(bin), count(bin.numbers.length)])
}

/** Ticks of a time axis at round steps, for example 15 minutes or 6 hours. */
const hour = 60
const day = 24 * hour

/** The steps between ticks, in minutes. */
export const timeSteps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((days) => days * day),
]

type TimeTick = { readonly minutes: number; readonly label: string }

/** Returns ticks from zero on, about `wanted` of them or fewer. */
export function timeTicks(untilMinutes: number, wanted: number): TimeTick[] {
  const step = timeSteps.find((each) => untilMinutes / each <= wanted) ?? untilMinutes / wanted
  const ticks: TimeTick[] = []
  for (let index = 0; index * step <= untilMinutes * 1.0001; index++) {
    const minutes = Math.round(index * step * 10) / 10
    ticks.push({ minutes, label: index === 0 ? '0' : duration(minutes) })
  }
  return ticks
}

/** Returns the ticks as an axis of a chart. */
export function timeAxis(
  untilMinutes: number,
  wanted: number,
): { readonly values: number[]; readonly labelExpr: string } {
  const ticks = timeTicks(untilMinutes, wanted)
  const labels = Object.fromEntries(ticks.map(({ minutes, label }) => [String(minutes), label]))
  return {
    values: ticks.map(({ minutes }) => minutes),
    labelExpr: `${JSON.stringify(labels)}[datum.value]`,
  }
}
