/** What came of every strategy over the same seeds, and how they differ from Mergeyard. */

import {
  differenceOf,
  intervalOf,
  jointConfidence,
  readingOf,
  type Comparison as Reading,
  type Difference,
  type Interval,
} from '../statistics/interval.ts'
import type { ComparedFigures } from './figures.ts'

/** What the table shows and ranks, less being better; with the unit it is told in. */
export const measures = {
  'time in queue p50': { unit: 'min', of: (run) => run.timeInQueueMinutes.p50 },
  'time in queue p95': { unit: 'min', of: (run) => run.timeInQueueMinutes.p95 },
  'time in queue p99': { unit: 'min', of: (run) => run.timeInQueueMinutes.p99 },
  'runs per merge': { unit: '', of: (run) => run.runsPerMerge },
  'CI minutes per merge': { unit: 'min', of: (run) => run.minutesPerMerge },
  'healthy evicted': { unit: '', of: (run) => run.healthyEvicted },
  'main broken': { unit: 'min', of: (run) => run.brokenMainMinutes },
} as const satisfies Record<
  string,
  { readonly unit: string; readonly of: (run: ComparedFigures) => number | null }
>

export type Measure = keyof typeof measures

export const measureNames: readonly Measure[] = [
  'time in queue p50',
  'time in queue p95',
  'time in queue p99',
  'runs per merge',
  'CI minutes per merge',
  'healthy evicted',
  'main broken',
]

/** What was found, as a document: no wall-clock time, no path; fixed seeds, the same bytes. */
export type ComparisonDocument = {
  readonly scenario: string
  readonly description: string | null
  readonly seeds: number
  /** Of the scenario, for everybody; in words. */
  readonly leftOut: readonly string[]
  readonly assumptions: readonly string[]
  /** Mergeyard first. */
  readonly compared: readonly Compared[]
}

export type Compared = {
  readonly strategy: string
  readonly isBound: boolean
  /** Each with its 95 % interval; null where no seed gave one. */
  readonly figures: Readonly<Record<Measure, Interval | null>>
  /** What it has more than Mergeyard, on the same seeds; the intervals hold all together. */
  readonly againstMergeyard: Readonly<Record<Measure, ReadDifference | null>>
  readonly peakRuns: number
}

type ReadDifference = Difference & { readonly reading: Reading }

/** A strategy's runs, in the order of the seeds; a seed that is not there yet is undefined. */
export type Played = {
  readonly strategy: string
  readonly isBound: boolean
  readonly runs: readonly ComparedFigures[]
}

/** Compares each with the first. */
export function compared(all: readonly Played[]): Compared[] {
  const [first] = all
  const confidence = jointConfidence((all.length - 1) * measureNames.length)
  return all.map(({ strategy, isBound, runs }) => ({
    strategy,
    isBound,
    figures: byMeasure((measure) => {
      const values = runs.map(measures[measure].of).filter((value) => value !== null)
      return values.length === 0 ? null : intervalOf(values)
    }),
    againstMergeyard: byMeasure((measure) => {
      const { of } = measures[measure]
      const difference = differenceOf(runs.map(of), first?.runs.map(of) ?? [], confidence)
      return difference && { ...difference, reading: readingOf(difference) }
    }),
    peakRuns: runs.reduce((most, run) => Math.max(most, run.peakRuns), 0),
  }))
}

function byMeasure<Value>(make: (measure: Measure) => Value): Record<Measure, Value> {
  return {
    'time in queue p50': make('time in queue p50'),
    'time in queue p95': make('time in queue p95'),
    'time in queue p99': make('time in queue p99'),
    'runs per merge': make('runs per merge'),
    'CI minutes per merge': make('CI minutes per merge'),
    'healthy evicted': make('healthy evicted'),
    'main broken': make('main broken'),
  }
}

/** How Mergeyard does in one measure, said plainly. */
export type Standing = {
  readonly measure: Measure
  /** Those that surely do better, best first; bounds that nobody can have are left out. */
  readonly better: readonly Compared[]
  /** Those of whom it cannot be told. */
  readonly undecided: readonly Compared[]
}

export function standings(all: readonly Compared[]): Standing[] {
  const others = all.slice(1).filter(({ isBound }) => !isBound)
  return measureNames.map((measure) => {
    const meanOf = ({ figures }: Compared): number => figures[measure]?.mean ?? Infinity
    const reads = (reading: Reading): Compared[] =>
      others.filter((each) => each.againstMergeyard[measure]?.reading === reading)
    return {
      measure,
      better: reads('less').sort((a, b) => meanOf(a) - meanOf(b)),
      undecided: reads('cannot tell'),
    }
  })
}
