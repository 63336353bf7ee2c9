/** A histogram of durations, with marks for percentiles. */

import { count, duration } from '../../terminal/text.ts'
import { chart, color } from '../page/chart.ts'
import type { Html } from '../page/html.ts'
import { timeAxis } from './time-axis.ts'

export type Bin = { readonly from: number; readonly to: number; readonly count: number }

const bins = 40

/** Counts durations in bins of equal width, from zero to the longest. All values are minutes. */
export function binsOf(minutes: readonly number[]): Bin[] {
  const longest = minutes.reduce((most, each) => Math.max(most, each), 0)
  const width = longest === 0 ? 1 : longest / bins
  const counts = Array.from({ length: bins }, () => 0)
  for (const each of minutes) {
    const index = Math.min(bins - 1, Math.floor(each / width))
    counts[index] = (counts[index] ?? 0) + 1
  }
  return counts.map((found, index) => ({
    from: index * width,
    to: (index + 1) * width,
    count: found,
  }))
}

export type ChartMark = { readonly minutes: number; readonly label: string }

export function spreadChart(
  name: string,
  all: readonly Bin[],
  marks: readonly ChartMark[],
): Promise<Html> {
  const longest = all.at(-1)?.to ?? 0
  const most = all.reduce((high, bin) => Math.max(high, bin.count), 0)
  return chart({
    name,
    width: 380,
    height: 170,
    rows: all,
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
    ],
  })
}

/** Returns the bins that are not empty as table rows. */
export function binRows(all: readonly Bin[]): string[][] {
  return all
    .filter((bin) => bin.count > 0)
    .map(({ from, to, count: found }) => [`${duration(from)} to ${duration(to)}`, count(found)])
}
