/** The lines of the trends, computed from the hours. */

import type { TrendHour } from '../../../../server/page/frame.ts'

export type Series = {
  readonly name: string
  readonly unit: 'pull requests' | 'minutes' | '%'
  /** One per hour; null for an hour without any. */
  readonly values: readonly (number | null)[]
  /** What the whole time comes to; null without any. */
  readonly whole: number | null
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)

export function mergedSeries(hours: readonly TrendHour[]): Series {
  const values = hours.map(({ merged }) => merged)
  return { name: 'merged', unit: 'pull requests', values, whole: sum(values) }
}

export function medianSeries(hours: readonly TrendHour[]): Series {
  const values = hours.map(({ medianMinutes }) => medianMinutes)
  return { name: 'half land within', unit: 'minutes', values, whole: middle(values) }
}

export function p95Series(hours: readonly TrendHour[]): Series {
  const values = hours.map(({ p95Minutes }) => p95Minutes)
  return { name: '19 of 20 land within', unit: 'minutes', values, whole: middle(values) }
}

export function passSeries(hours: readonly TrendHour[]): Series {
  const shareOf = (passed: number, failed: number): number | null =>
    passed + failed === 0 ? null : (100 * passed) / (passed + failed)
  return {
    name: 'runs that pass',
    unit: '%',
    values: hours.map(({ runsPassed, runsFailed }) => shareOf(runsPassed, runsFailed)),
    whole: shareOf(
      sum(hours.map(({ runsPassed }) => runsPassed)),
      sum(hours.map(({ runsFailed }) => runsFailed)),
    ),
  }
}

/** The middle one of the hours. It is no median of all pull requests, which the hours do not tell. */
function middle(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((each) => each ?? []).toSorted((a, b) => a - b)
  return known[Math.floor((known.length - 1) / 2)] ?? null
}

/** A round number that is not below the highest value. */
export function topOf(values: readonly (number | null)[], least: number): number {
  const highest = Math.max(least, ...values.map((each) => each ?? 0))
  const unit = 10 ** Math.floor(Math.log10(highest))
  return [1, 2, 2.5, 5, 10].map((step) => step * unit).find((step) => step >= highest) ?? highest
}

/** The `d` of a path through the values; an hour without one leaves a gap. */
export function pathOf(
  values: readonly (number | null)[],
  top: number,
  { width, height }: { width: number; height: number },
): string {
  const step = width / Math.max(1, values.length - 1)
  let isDrawing = false
  return values
    .map((value, index) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const place = `${round(index * step)} ${round(height - (height * value) / top)}`
      const isAlone = !isDrawing && (values[index + 1] ?? null) === null
      const move = isDrawing ? 'L' : 'M'
      isDrawing = true
      // An hour between two gaps is a dot: a line without a length, with round ends.
      return isAlone ? `M${place}h0` : `${move}${place}`
    })
    .join('')
}

const round = (value: number): number => Math.round(value * 10) / 10
