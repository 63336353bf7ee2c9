/** The figures of a run in words, beside those of today's setting. */

import type { Figures } from '../../../../sim/result/result-document.ts'
import { percentile } from '../../../../server/terminal/percentile.ts'
import { count, duration } from '../../../../server/terminal/text.ts'
import { type Measure, measures } from '../../../compare/comparison.ts'
import type { OtherQueue } from '../worker/protocol.ts'

export type Figure = {
  readonly name: string
  readonly of: (figures: Figures) => number | null
  readonly text: (value: number) => string
  /** False: less or more is neither better nor worse. */
  readonly isLessBetter: boolean
}

const cost = (name: string, text: Figure['text'], of: Figure['of']): Figure => ({
  name,
  text,
  of,
  isLessBetter: true,
})
const fact = (...given: Parameters<typeof cost>): Figure => ({
  ...cost(...given),
  isLessBetter: false,
})

const twoPlaces = (value: number): string => value.toFixed(2)

const sum = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((all, each) => all + each, 0)

/** What a reader looks at first. */
export const mainFigures: readonly Figure[] = [
  cost('half land within', duration, ({ timeToLandMinutes }) => timeToLandMinutes.p50),
  cost('95 % land within', duration, ({ timeToLandMinutes }) => timeToLandMinutes.p95),
  cost('CI time per merge', duration, ({ totals: { merged, testMinutes } }) =>
    merged === 0 ? null : testMinutes / merged,
  ),
  cost('healthy ones evicted', count, ({ totals }) => totals.healthyEvicted),
]

export const furtherFigures: readonly Figure[] = [
  cost('slowest to land', duration, ({ timeToLandMinutes }) => timeToLandMinutes.max),
  cost('half wait for a first run', duration, ({ waitMinutes }) => waitMinutes.p50),
  fact('merged', count, ({ totals }) => totals.merged),
  fact('failed', count, ({ totals }) => totals.failed),
  cost('test runs', count, ({ totals }) => totals.testRuns),
  cost('test runs per merge', twoPlaces, ({ runsPerMerge }) => runsPerMerge),
  cost('runs in bisections', count, ({ totals }) => totals.bisectionRuns),
  cost('CI time without use', duration, ({ totals }) => sum(totals.wastedMinutes)),
  cost('merged without a run of exactly that', count, ({ totals }) => sum(totals.unprovenMerges)),
  cost('broken ones merged', count, ({ totals }) => totals.badMerged),
  cost('branch broken for', duration, ({ totals }) => totals.brokenMainMinutes),
  fact('most runs at once', count, ({ totals }) => totals.peakRuns),
  fact('all done after', duration, ({ endedAtMinutes }) => endedAtMinutes),
]

export type Change = { readonly text: string; readonly tone: 'good' | 'bad' | null }

/** One run cannot tell smaller differences from luck. */
const leastShare = 0.03

/** How a figure differs from today's; null without a value to compare. */
export function changeBetween(figure: Figure, now: Figures, today: Figures): Change | null {
  const [value, before] = [figure.of(now), figure.of(today)]
  return value === null || before === null ? null : changeOf(figure, value, before)
}

/** How a value differs from today's, in words. */
export function changeOf({ isLessBetter }: Figure, value: number, today: number): Change {
  if (value === today) return { text: 'the same', tone: null }
  const isLess = value < today
  const tone = isLessBetter ? (isLess ? 'good' : 'bad') : null
  const word = isLess ? 'less' : 'more'
  if (today === 0) return { text: word, tone }
  const share = Math.abs(value - today) / today
  if (share < leastShare) return { text: 'about the same', tone: null }
  if (share >= 2) return { text: `${Math.round(value / today)} times as much`, tone }
  return { text: `${Math.round(100 * share)} % ${word}`, tone }
}

/** A value in words; a figure without a value has none. */
export function textOf({ of, text }: Figure, figures: Figures): string {
  const value = of(figures)
  return value === null ? 'none' : text(value)
}

// The other queues in one measure, as bars of one scale.

export const shownMeasures = {
  'time to land p50': 'half land within',
  'time to land p95': '95 % land within',
  'CI minutes per merge': 'CI time per merge',
  'healthy evicted': 'healthy ones evicted',
  'main broken': 'branch broken for',
} as const satisfies Partial<Record<Measure, string>>

export type ShownMeasure = keyof typeof shownMeasures

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
      name,
      about,
      isReference,
      text: barText(measure, value),
      share: value === null || most === 0 ? 0 : Math.min(1, value / most),
      isCut: (value ?? 0) > most,
    }
  })
}

function scaleOf(values: readonly number[]): number {
  const [most, median] = [percentile(values, 100), percentile(values, 50)]
  return median === 0 ? most : Math.min(most, median * mostMedians)
}

function barText(measure: ShownMeasure, value: number | null): string {
  if (value === null) return 'nothing merged'
  return measures[measure].unit === 'min' ? duration(value) : count(value)
}
