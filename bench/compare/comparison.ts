/** The figures of every strategy over the same seeds, and their differences from Mergeyard. */

import {
  differenceOf,
  jointConfidence,
  readingOf,
  type Comparison as Reading,
} from '../statistics/difference.ts'
import { centreOf, intervalOf, type Interval } from '../../sim/statistics/interval.ts'
import type { ComparedFigures } from '../queues/figures.ts'
import type { LengthModel } from '../queues/fair-scenario.ts'
import { namesIn } from '../queues/names-in.ts'
import type { ScenarioBounds } from './bounds.ts'

/** The measures of the comparison with their units. Less is better in all of them. */
export const measures = {
  'time to land p50': { unit: 'min', of: (run) => run.timeToLandMinutes.p50 },
  'time to land p95': { unit: 'min', of: (run) => run.timeToLandMinutes.p95 },
  'time to land p99': { unit: 'min', of: (run) => run.timeToLandMinutes.p99 },
  'time in queue p95': { unit: 'min', of: (run) => run.timeInQueueMinutes.p95 },
  'runs per merge': { unit: '', of: (run) => run.runsPerMerge },
  'CI minutes per merge': { unit: 'min', of: (run) => run.minutesPerMerge },
  'healthy evicted': { unit: '', of: (run) => run.healthyEvicted },
  clashed: { unit: '', of: (run) => run.clashed },
  'held back': { unit: '', of: (run) => run.heldBack },
  'main broken': { unit: 'min', of: (run) => run.brokenMainMinutes },
  'price per landed PR': { unit: '', of: (run) => run.pricePerLanded },
} as const satisfies Record<
  string,
  { readonly unit: string; readonly of: (run: ComparedFigures) => number | null }
>

export type Measure = keyof typeof measures

const measureNames = namesIn(measures)

/** Those that are shown only where somebody did so. */
const shownIfAny: readonly Measure[] = ['clashed', 'held back']

/** Returns the measures to show: the price only if there is one, and who clashed or was held back if anybody was. */
export function measuresOf(all: readonly Pick<Compared, 'figures'>[]): Measure[] {
  const isShown = (name: Measure, { figures }: Pick<Compared, 'figures'>): boolean =>
    (name !== 'price per landed PR' || figures[name] !== null) &&
    (!shownIfAny.includes(name) || (figures[name] !== null && centreOf(figures[name]) > 0))
  return measureNames.filter((name) => all.some((each) => isShown(name, each)))
}

/**
 * The result document. It holds no wall-clock time and no path, so fixed seeds give the same bytes.
 */
export type ComparisonDocument = {
  readonly scenario: string
  readonly description: string | null
  readonly seeds: number
  /** The parts of the scenario that no strategy gets, as text. */
  readonly leftOut: readonly string[]
  readonly assumptions: readonly string[]
  /** After how long an evicted healthy pull request comes again; null: it does not (S-243). */
  readonly resubmitAfterMinutes: number | null
  /** The model of the lengths of runs. */
  readonly lengths: LengthModel
  /** What no queue can beat. */
  readonly bounds: ScenarioBounds
  /** Mergeyard first. */
  readonly compared: readonly Compared[]
}

export type Compared = {
  readonly strategy: string
  /** What the best setting changes of the defaults; null for the defaults. */
  readonly setting: string | null
  readonly isReference: boolean
  /** Means with 95 % confidence intervals, from 10 seeds on; null if no seed has a value. */
  readonly figures: Readonly<Record<Measure, Interval | null>>
  /** Differences from Mergeyard on the same seeds. All intervals hold together with 95 %. */
  readonly againstMergeyard: Readonly<Record<Measure, ReadDifference | null>>
  readonly peakRuns: number
}

type ReadDifference = Interval & { readonly reading: Reading }

/** The runs of a strategy, in the order of the seeds. */
export type StrategyRuns = {
  readonly strategy: string
  readonly setting: string | null
  readonly isReference: boolean
  readonly runs: readonly ComparedFigures[]
}

/**
 * Compares each strategy at its defaults with the first one, Mergeyard's, and each at its best with
 * Mergeyard's best, the first of those.
 */
export function compared(all: readonly StrategyRuns[]): Compared[] {
  const [first] = all
  const best = all.find(({ setting }) => setting !== null)
  const isPriced = all.some(({ runs }) =>
    runs.some(({ pricePerLanded }) => pricePerLanded !== null),
  )
  const hidden = shownIfAny.filter((name) =>
    all.every(({ runs }) => runs.every((run) => measures[name].of(run) === 0)),
  )
  const measured = measureNames.length - (isPriced ? 0 : 1) - hidden.length
  const confidence = jointConfidence((all.length - 1) * measured)
  return all.map(({ strategy, setting, isReference, runs }) => ({
    strategy,
    setting,
    isReference,
    figures: byMeasure((measure) => {
      const values = runs.map(measures[measure].of).filter((value) => value !== null)
      return values.length === 0 ? null : intervalOf(values)
    }),
    againstMergeyard: byMeasure((measure) => {
      const { of } = measures[measure]
      const own = setting === null ? first : best
      const difference = differenceOf(runs.map(of), own?.runs.map(of) ?? [], confidence)
      return difference && { ...difference, reading: readingOf(difference) }
    }),
    peakRuns: runs.reduce((most, run) => Math.max(most, run.peakRuns), 0),
  }))
}

function byMeasure<Value>(make: (measure: Measure) => Value): Record<Measure, Value> {
  return {
    'time to land p50': make('time to land p50'),
    'time to land p95': make('time to land p95'),
    'time to land p99': make('time to land p99'),
    'time in queue p95': make('time in queue p95'),
    'runs per merge': make('runs per merge'),
    'CI minutes per merge': make('CI minutes per merge'),
    'healthy evicted': make('healthy evicted'),
    clashed: make('clashed'),
    'held back': make('held back'),
    'main broken': make('main broken'),
    'price per landed PR': make('price per landed PR'),
  }
}

/** The mean of a figure; null if no seed has a value. */
export function meanIn({ figures }: Compared, measure: Measure): number | null {
  const found = figures[measure]
  return found && centreOf(found)
}

/** The strategies at their defaults, with the references, and the queues at their best. */
export function tiersOf(all: readonly Compared[]): { defaults: Compared[]; best: Compared[] } {
  return {
    defaults: all.filter(({ setting }) => setting === null),
    best: all.filter(({ setting }) => setting !== null),
  }
}

/** How Mergeyard compares with the other strategies in one measure. References are left out. */
export type MeasureStanding = {
  readonly measure: Measure
  /** The strategies that are significantly better, the best first. */
  readonly better: readonly Compared[]
  /** The strategies without a significant difference. */
  readonly undecided: readonly Compared[]
}

/** Returns the standing of Mergeyard in each measure. The first of `all` is Mergeyard. */
export function standings(all: readonly Compared[]): MeasureStanding[] {
  const others = all.slice(1).filter(({ isReference }) => !isReference)
  return measuresOf(all).map((measure) => {
    const lowest = (each: Compared): number => meanIn(each, measure) ?? Infinity
    const withReading = (reading: Reading): Compared[] =>
      others.filter((each) => each.againstMergeyard[measure]?.reading === reading)
    return {
      measure,
      better: withReading('less').sort((a, b) => lowest(a) - lowest(b)),
      undecided: withReading('cannot tell'),
    }
  })
}
