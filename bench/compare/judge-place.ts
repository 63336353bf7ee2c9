/** Compares the proposed setting with all other queues in one place, and with what is possible. */

import { type SeedRange, seedsIn } from '../../sim/random/seeds.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { centreOf, endsOf, type Interval, intervalOf } from '../../sim/statistics/interval.ts'
import { clairvoyantName, otherQueueNames, ownName } from '../queues/index.ts'
import { differenceOf, jointConfidence, readingOf, ratioOf } from '../statistics/effects.ts'
import type { Effect } from '../statistics/effects.ts'
import { measures, type StrategyRuns } from './comparison.ts'
import {
  defaultResubmit,
  fairScenario,
  type LengthModel,
  withEqualSlots,
  withLengths,
} from '../queues/fair-scenario.ts'
import type { ComparedFigures } from '../queues/figures.ts'
import type { Budget } from '../tune/runner.ts'
import { bestRows, type ComparedRow, rowsOf, runRows, type SpreadContext } from './rows.ts'

/** The one setting that Mergeyard proposes for every team, whatever it is like. */
export const proposed = {
  policy: 'adaptive',
  canOptimisticallyMerge: true,
  pendingFailureDepth: 2,
  batch: true,
  batchingMinSize: 16,
  batchingMaxWaitTimeMinutes: 5,
} as const satisfies NonNullable<Scenario['queue']>

const proposedName = 'Mergeyard, as proposed'

export type JudgedPlace = {
  readonly scenario: string
  readonly lengths: LengthModel
  /** What the best setting of each other queue changes of its defaults. */
  readonly best: readonly { readonly strategy: string; readonly setting: string }[]
  readonly judged: Judged
  /** The fixed settings of Mergeyard that are surely faster and pay nothing for it. */
  readonly fixed: readonly BetterFixed[]
}

export type Wanted = { readonly scenario: Scenario; readonly lengths: LengthModel }

/** Returns null if the user interrupted it. */
export async function judgedPlace(
  wanted: Wanted,
  options: Search,
  context: SpreadContext,
): Promise<JudgedPlace | null> {
  const { lengths } = wanted
  const resubmit = wanted.scenario.resubmit ?? defaultResubmit
  const scenario = withLengths(fairScenario({ ...wanted.scenario, resubmit }).scenario, lengths)
  const seeds = [...seedsIn(options.seeds)]
  const { budget } = options
  const best = await bestRows(scenario, { budget, seeds, queues: otherQueueNames }, context)
  if (!best) return null
  const others = rowsOf(best).filter(({ strategy }) => strategy !== ownName)
  const compared = [settingRow(proposedName, scenario, proposed), ...others]
  const all = await runRows([...compared, ...fixedRows(scenario)], { scenario, seeds }, context)
  if (context.signal.aborted) return null
  const [own] = all
  const clairvoyant = all.find(({ strategy }) => strategy === clairvoyantName)
  if (!own || !clairvoyant) throw new Error('the comparison has no such row')
  return {
    scenario: scenario.name,
    lengths,
    best: best.map(({ strategy, setting }) => ({ strategy, setting: setting ?? '' })),
    judged: judgedOf({
      own,
      clairvoyant,
      others: all.slice(1, compared.length).filter(({ isReference }) => !isReference),
    }),
    fixed: betterFixed(own, all.slice(compared.length)),
  }
}

/** A setting of Mergeyard in as many slots as every other queue has. */
function settingRow(strategy: string, scenario: Scenario, set: Queue): ComparedRow {
  const { queue } = withEqualSlots({ ...scenario, queue: { ...scenario.queue, ...set } })
  return { strategy, setting: null, isReference: false, row: { kind: 'own', queue } }
}

export type Search = { readonly seeds: SeedRange; readonly budget: Budget }

/** The figures of the goals. Less is better in all of them. */
export const judgedMeasures = [
  'time to land p95',
  'CI minutes per merge',
  'healthy evicted',
] as const satisfies readonly (keyof typeof measures)[]

type JudgedMeasure = (typeof judgedMeasures)[number]

/** How all other queues compare with the proposed setting in one figure. */
type JudgedFigure = {
  readonly measure: JudgedMeasure
  readonly own: Interval | null
  /** The other queue with the best mean; null if none has one. */
  readonly bestOther: { readonly strategy: string; readonly mean: number } | null
  /** The queues that are surely better. */
  readonly better: readonly Better[]
}

type Better = {
  readonly strategy: string
  /** The figures in which the same queue is surely worse: what it pays. */
  readonly paysIn: readonly JudgedMeasure[]
}

export type Judged = {
  readonly seeds: number
  readonly figures: readonly JudgedFigure[]
  /** Ratios to the batching clairvoyant, which knows what breaks. */
  readonly overClairvoyant: { readonly p95: Effect | null; readonly ciMinutes: Effect | null }
  /** Evictions of healthy pull requests in percent of those that landed. */
  readonly evictedPercent: Interval | null
  /** In all seeds together. */
  readonly badMerged: number
  readonly brokenMainMinutes: number
}

export type ToJudge = {
  readonly own: StrategyRuns
  readonly others: readonly StrategyRuns[]
  readonly clairvoyant: StrategyRuns
}

/** All intervals of a place hold together with 95 %. */
export function judgedOf({ own, others, clairvoyant }: ToJudge): Judged {
  const confidence = jointConfidence(others.length * judgedMeasures.length)
  const readings = others.map((other) => {
    const reading = (measure: JudgedMeasure): 'less' | 'more' | null => {
      const difference = differenceOf(valuesOf(other, measure), valuesOf(own, measure), confidence)
      const read = difference && readingOf(difference)
      return read === 'less' || read === 'more' ? read : null
    }
    return { strategy: other.strategy, readings: judgedMeasures.map(reading) }
  })
  return {
    seeds: own.runs.length,
    figures: judgedMeasures.map((measure, at) => ({
      measure,
      own: meanOf(own, measure),
      bestOther: bestOf(others, measure),
      better: readings
        .filter((each) => each.readings[at] === 'less')
        .map((each) => ({
          strategy: each.strategy,
          paysIn: judgedMeasures.filter((_, index) => each.readings[index] === 'more'),
        })),
    })),
    overClairvoyant: {
      p95: ratioIn('time to land p95', own, clairvoyant),
      ciMinutes: ratioIn('CI minutes per merge', own, clairvoyant),
    },
    evictedPercent: meanIn(own.runs.map(percentEvicted)),
    badMerged: sumOf(own, ({ badMerged }) => badMerged),
    brokenMainMinutes: sumOf(own, ({ brokenMainMinutes }) => brokenMainMinutes),
  }
}

/** A healthy one lands in the end, so those that landed are the healthy ones. */
const percentEvicted = ({ healthyEvicted, merged }: ComparedFigures): number | null =>
  merged === 0 ? null : (100 * healthyEvicted) / merged

function valuesOf({ runs }: StrategyRuns, measure: JudgedMeasure): (number | null)[] {
  return runs.map(measures[measure].of)
}

const ratioIn = (
  measure: JudgedMeasure,
  one: StrategyRuns,
  other: StrategyRuns,
  confidence?: number,
): Effect | null => ratioOf(valuesOf(one, measure), valuesOf(other, measure), confidence)

const meanOf = (runs: StrategyRuns, measure: JudgedMeasure): Interval | null =>
  meanIn(valuesOf(runs, measure))

function meanIn(values: readonly (number | null)[]): Interval | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : intervalOf(known)
}

function bestOf(
  others: readonly StrategyRuns[],
  measure: JudgedMeasure,
): JudgedFigure['bestOther'] {
  let best: JudgedFigure['bestOther'] = null
  for (const other of others) {
    const found = meanOf(other, measure)
    const mean = found ? centreOf(found) : Infinity
    if (mean < (best?.mean ?? Infinity)) best = { strategy: other.strategy, mean }
  }
  return best
}

function sumOf({ runs }: StrategyRuns, of: (run: ComparedFigures) => number): number {
  return runs.reduce((sum, run) => sum + of(run), 0)
}

// The fixed settings of Mergeyard itself, and which of them are surely better than the proposed one.

type Queue = NonNullable<Scenario['queue']>

const batches = [1, 2, 4, 8, 16] as const
const depths = [0, 2] as const

/** `batches of 4, optimistic, hold 2` */
const fixedSettings: readonly { readonly name: string; readonly queue: Queue }[] = batches.flatMap(
  (size) =>
    [false, true].flatMap((isOptimistic) =>
      depths.map((depth) => ({
        name: [
          size === 1 ? 'no batches' : `batches of ${size}`,
          ...(isOptimistic ? ['optimistic'] : []),
          `hold ${depth}`,
        ].join(', '),
        queue: {
          policy: 'documented',
          canOptimisticallyMerge: isOptimistic,
          pendingFailureDepth: depth,
          ...(size === 1
            ? { batch: false }
            : { batch: true, batchingMinSize: size, batchingMaxWaitTimeMinutes: 5 }),
        } as const,
      })),
    ),
)

/** Returns a row for each fixed setting. */
export function fixedRows(scenario: Scenario): ComparedRow[] {
  return fixedSettings.map(({ name, queue }) => settingRow(name, scenario, queue))
}

/** A fixed setting that is surely faster and pays nothing for it, as `betterFixed` counts it. */
type BetterFixed = {
  readonly setting: string
  /** p95 to land over that of the proposed setting. */
  readonly p95: Effect
}

/** Smaller differences are not worth another setting, and a greater one in CI minutes is a price. */
const least = 0.05

/**
 * Returns the fixed settings whose p95 to land is surely better by more than 5 %, unless their CI minutes per merge
 * are at least 5 % more or they evict more healthy pull requests. The intervals hold together with 95 %.
 */
export function betterFixed(own: StrategyRuns, fixed: readonly StrategyRuns[]): BetterFixed[] {
  const confidence = jointConfidence(fixed.length)
  return fixed.flatMap((each) => {
    const p95 = ratioIn('time to land p95', each, own, confidence)
    return p95 && isSurelyLess(p95) && !pays(each, own) ? [{ setting: each.strategy, p95 }] : []
  })
}

function isSurelyLess({ measure, size }: Effect): boolean {
  return measure === 'ratio' && size.kind === 'interval' && endsOf(size).high < 1 - least
}

function pays(fixed: StrategyRuns, own: StrategyRuns): boolean {
  const ci = ratioIn('CI minutes per merge', fixed, own)
  const isDearer = ci?.measure === 'ratio' && centreOf(ci.size) >= 1 + least
  const { of } = measures['healthy evicted']
  return isDearer || sumOf(fixed, of) > sumOf(own, of)
}
