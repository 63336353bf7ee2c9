/** The figures of every strategy over the same seeds, and their differences from Mergeyard. */

import {
  differenceOf,
  jointConfidence,
  readingOf,
  type Comparison as Reading,
  cellText,
  figure,
  intervalsAbout,
} from '../statistics/effects.ts'
import { centreOf, intervalOf, type Interval, endsOf } from '../../sim/statistics/interval.ts'
import type { ComparedFigures } from '../queues/figures.ts'
import { type LengthModel, lengthModels } from '../queues/fair-scenario.ts'
import { namesIn } from '../queues/names-in.ts'
import { several } from '../../server/terminal/text.ts'
import { right } from '../../sim/html/components.ts'
import type { Look } from '../../server/terminal/output.ts'
import { type TableSection, textSection } from '../../sim/html/table-section.ts'
import { type ScenarioBounds, boundsSection } from './bounds.ts'

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
  return measureNames.filter((name) => {
    const means = all.map((each) => meanIn(each, name))
    if (name === 'price per landed PR') return means.some((mean) => mean !== null)
    return !shownIfAny.includes(name) || means.some((mean) => (mean ?? 0) > 0)
  })
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
  readonly figures: ByMeasure<Interval>
  /** Differences from Mergeyard on the same seeds. All intervals hold together with 95 %. */
  readonly againstMergeyard: ByMeasure<ReadDifference>
  readonly peakRuns: number
}

type ByMeasure<Value> = Readonly<Record<Measure, Value | null>>

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
export function comparedOf(all: readonly StrategyRuns[]): Compared[] {
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

/** Each by its name, so that the compiler tells of one that is missing. */
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
export function meanIn({ figures }: Pick<Compared, 'figures'>, measure: Measure): number | null {
  const found = figures[measure]
  return found ? centreOf(found) : null
}

type Tier = { readonly title: string; readonly tier: readonly Compared[] }

/** The strategies at their defaults, with the references, and the queues at their best, if these were searched. */
export function tiersOf(all: readonly Compared[]): Tier[] {
  const tiers = [
    { title: 'At the defaults', tier: all.filter(({ setting }) => setting === null) },
    { title: 'At its best', tier: all.filter(({ setting }) => setting !== null) },
  ]
  return tiers.filter(({ tier }) => tier.length > 0)
}

/** How Mergeyard compares with the other strategies in one measure. References are left out. */
type MeasureStanding = {
  readonly measure: Measure
  /** The strategies that are significantly better, the best first. */
  readonly better: readonly Compared[]
  /** The strategies without a significant difference. */
  readonly undecided: readonly Compared[]
  /** How many strategies Mergeyard is compared with. */
  readonly others: number
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
      others: others.length,
    }
  })
}

/** The comparison in sentences, for the terminal and the page, and as a table for the terminal. */
export function comparisonText(document: ComparisonDocument, look: Look): string {
  const { scenario, seeds, leftOut, compared, lengths, bounds } = document
  const head = `${scenario}   ${several(seeds, 'seed')}, the same pull requests for every strategy; length of runs: ${lengthModels[lengths]}\n`
  const out =
    leftOut.length === 0
      ? ''
      : `left out, because not every strategy supports it: ${leftOut.join(', ')}\n`
  return [
    `${head}${out}`,
    ...[strategiesSection(document), boundsSection(bounds)].map((section) =>
      textSection(section, look),
    ),
    tiersOf(compared).map(verdictText).join(''),
  ].join('\n')
}

/** The figures of every strategy, and the settings that the searches found. */
export function strategiesSection(document: ComparisonDocument): TableSection {
  const { compared } = document
  const measured = measuresOf(compared)
  return {
    id: 'strategies',
    title: 'Every strategy',
    about: `${intervalsAbout} Less is better in all figures. ${timesWords(document)} A strategy in brackets is a reference: it knows what breaks, and is no bound.`,
    table: {
      head: ['strategy', ...[...measured.map(titleOf), 'runs at once'].map(right)],
      rows: compared.map((each) => [
        nameOf(each),
        ...measured.map((measure) => cellText(each.figures[measure])),
        String(each.peakRuns),
      ]),
    },
    words: compared.flatMap(({ strategy, setting }) =>
      setting === null ? [] : `${strategy}: ${setting}`,
    ),
  }
}

export function nameOf({ strategy, isReference }: Compared): string {
  return isReference ? `(${strategy})` : strategy
}

export function titleOf(measure: Measure): string {
  const { unit } = measures[measure]
  return unit === '' ? measure : `${measure}, ${unit}`
}

/** How Mergeyard compares with the others, in words. */
function verdictText({ title, tier }: Tier): string {
  const found = standings(tier)
  const sentences = found.map((each) => `  ${each.measure}: ${standingWords(each)}\n`).join('')
  return `${title}: ${headline(found)}\n${sentences}`
}

/** Returns the verdict in one sentence. */
export function headline(found: readonly MeasureStanding[]): string {
  const lost = found.filter(({ better }) => better.length > 0).length
  return lost === 0
    ? 'No strategy is significantly better than Mergeyard in any figure.'
    : `Mergeyard is NOT the best in ${lost} of ${found.length} figures.`
}

/** Returns one sentence for each strategy that is better in a figure, with its price in others. */
export function trades(all: readonly Compared[], found: readonly MeasureStanding[]): string[] {
  return all
    .filter((each) => found.some(({ better }) => better.includes(each)))
    .map(({ strategy, againstMergeyard }) => {
      const withReading = (reading: Reading): Measure[] =>
        measuresOf(all).filter((name) => againstMergeyard[name]?.reading === reading)
      const worse = withReading('more')
      const price =
        worse.length === 0 ? 'significantly worse in no figure' : `worse in ${figuresIn(worse)}`
      return `${strategy} is better in ${figuresIn(withReading('less'))}, and ${price}.`
    })
}

const times = 'time to land '

/** Lists measures as `time to land p50 and p95`: a common prefix is written once. */
function figuresIn(names: readonly Measure[]): string {
  const shortened = names.map((name, index) =>
    names.slice(0, index).some((before) => before.startsWith(times))
      ? name.replace(times, '')
      : name,
  )
  return listed(shortened)
}

/** Returns how Mergeyard compares in one measure. */
export function standingWords({ measure, better, undecided, others }: MeasureStanding): string {
  const [best] = better
  if (best) {
    const difference = best.againstMergeyard[measure]
    const by = difference ? ` (${differenceWords(measure, difference)})` : ''
    const more = better.slice(1).map(({ strategy }) => strategy)
    const also = more.length === 0 ? '' : `; also better: ${listed(more)}`
    return `Mergeyard is NOT the best. ${best.strategy} is better${by}${also}.`
  }
  if (undecided.length === 0) return 'no strategy is better.'
  const isAll = others > 1 && undecided.length === others
  const names = isAll ? 'all of them' : listed(undecided.map(({ strategy }) => strategy))
  return `no strategy is significantly better; undecided: ${names}.`
}

/** Formats the difference from Mergeyard with its interval: `66 min less, 26.2 to 106`. */
export function differenceWords(measure: Measure, difference: Interval): string {
  const [mean, { low, high }] = [centreOf(difference), endsOf(difference)]
  const reading = readingOf(difference)
  if (reading === 'the same') return 'the same'
  const { unit } = measures[measure]
  const units = unit === '' ? '' : ` ${unit}`
  if (reading === 'cannot tell') {
    const seen = difference.kind === 'seen' ? 'seen ' : ''
    return `undecided: ${seen}${figure(low)} to ${figure(high)}${units}`
  }
  const [from, to] = mean < 0 ? [-high, -low] : [low, high]
  const range = difference.kind === 'always' ? 'always' : `${figure(from)} to ${figure(to)}`
  return `${figure(Math.abs(mean))}${units} ${reading}, ${range}`
}

/** Lists names as `a, b and c`. Names that contain a comma are separated by semicolons. */
function listed(names: readonly string[]): string {
  const between = names.some((name) => name.includes(',')) ? '; ' : ', '
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(between)} and ${last}`
}

/** Returns what the times count, in sentences. */
function timesWords({ resubmitAfterMinutes, compared }: ComparisonDocument): string {
  const again =
    resubmitAfterMinutes === null
      ? 'Nobody submits an evicted pull request again, so a strategy that evicts healthy ones looks faster than it is.'
      : `A pull request that was evicted although healthy, or that clashed, is submitted again after ${figure(resubmitAfterMinutes)} min, until it lands.`
  const held = measuresOf(compared).includes('held back')
    ? ' One is held back if a queue can take it only later, because of what it depends on: mostly when that has merged. Its time to land counts from when it first came.'
    : ''
  return `Time to land is from the first submission to the merge, of merged pull requests; time in queue is that of the last submission. ${again}${held}`
}
