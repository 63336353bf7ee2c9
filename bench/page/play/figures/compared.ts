/** The other queues in one measure, as bars of one scale. */

import { measures, type Measure } from '../../../compare/comparison.ts'
import { count, duration } from '../../../../terminal/text.ts'
import type { OtherQueue } from '../worker/protocol.ts'

export const shownMeasures = {
  'time to land p50': 'half land within',
  'time to land p95': '95 % land within',
  'CI minutes per merge': 'CI time per merge',
  'healthy evicted': 'healthy ones evicted',
  'main broken': 'branch broken for',
} as const satisfies Partial<Record<Measure, string>>

export type ShownMeasure = keyof typeof shownMeasures

export function isShownMeasure(name: string): name is ShownMeasure {
  return Object.hasOwn(shownMeasures, name)
}

export type Bar = {
  readonly name: string
  readonly about: string
  readonly isReference: boolean
  readonly text: string
  /** Of the scale, from 0 to 1. */
  readonly share: number
  /** True if the value is beyond the scale. */
  readonly isCut: boolean
}

/** One very slow queue must not make all others look alike, so the scale ends at so many medians. */
const mostMedians = 6

/** In the order of the queues: a list whose rows jump while it is made cannot be read. */
export function barsOf(others: readonly OtherQueue[], measure: ShownMeasure): Bar[] {
  const values = others.map(({ figures }) => measures[measure].of(figures))
  const most = scaleOf(values.flatMap((value) => value ?? []))
  return others.map(({ name, about, isReference }, index) => {
    const value = values[index] ?? null
    return {
      ...{ name, about, isReference, text: textOf(measure, value) },
      share: value === null || most === 0 ? 0 : Math.min(1, value / most),
      isCut: (value ?? 0) > most,
    }
  })
}

function scaleOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const most = sorted.at(-1) ?? 0
  const median = sorted[sorted.length >> 1] ?? 0
  return median === 0 ? most : Math.min(most, median * mostMedians)
}

function textOf(measure: ShownMeasure, value: number | null): string {
  if (value === null) return 'nothing merged'
  return measures[measure].unit === 'min' ? duration(value) : count(value)
}
