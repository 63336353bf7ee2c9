/**
 * Decides which setting to advise. A setting is advised if its score is surely better than today's, by at
 * least the least effect, or if today's is not allowed. `tune.ts` asks the stretches of a history as well.
 */

import {
  quantileOf,
  type Interval,
  endsOf,
  fewestForInterval,
  intervalOf,
  meanOf,
} from '../../sim/statistics/interval.ts'
import {
  differenceOf,
  limitsOf,
  readingOf,
  judgedTogether,
  pairedCounts,
  pairedRatios,
} from '../statistics/effects.ts'
import type { EffectVerdict, JudgedEffect, Effect, Paired } from '../statistics/effects.ts'
import { figureNames, figureTable, meanScore, scoreOf } from './figures.ts'
import type { FigureName, Preference, TuneFigures } from './figures.ts'
import type { Trial } from './runner.ts'
import { bestFirst } from './search.ts'

type Chosen<Setting> = {
  /** The advised setting; today's unless the kind is `change`. */
  readonly choice: Setting
  /** The setting with the best score. */
  readonly best: Setting
  /** The settings that are less than the least effect behind the best, without the choice. */
  readonly tied: readonly Setting[]
}

/**
 * `change`: better, or today's setting is one that `--allow-unproven` forbids. `keep`: none is better
 * by the least effect. `unsure`: the best may be better; `moreSeeds` would tell, null if more than
 * could be run. `idle`: time was asked for, and nobody waits. `empty`: nothing lands. `always`: every seed gives the same.
 */
export type VerdictOn<Setting> = Chosen<Setting> &
  (
    | { readonly kind: 'change'; readonly because: 'better' | 'today is not allowed' }
    | { readonly kind: 'keep' | 'empty' | 'always' }
    | { readonly kind: 'unsure'; readonly moreSeeds: number | null }
    | ({ readonly kind: 'idle' } & Idle)
  )

export type Verdict = VerdictOn<Trial>

export type Final = {
  readonly today: Trial
  /** Without today's, and without those that are not allowed. */
  readonly rivals: readonly Trial[]
  readonly preference: Preference
  /** As a share. */
  readonly least: number
  readonly isTodayAllowed: boolean
}

/** Returns the verdict over settings that ran on the same seeds. */
export function verdictOf(final: Final): Verdict {
  const { today, preference, isTodayAllowed } = final
  const safe = final.rivals.filter((trial) => !breaksMain(trial, today))
  const best = bestOf(isTodayAllowed || safe.length === 0 ? [today, ...safe] : safe, preference)
  const kept = { choice: today, best, tied: [] }
  if (isEmpty(today.runs)) return { kind: 'empty', ...kept }
  if (isAlways([today, ...safe].map(({ runs }) => runs))) return { kind: 'always', ...kept }
  if (!isTodayAllowed && safe.length > 0) {
    return { kind: 'change', because: 'today is not allowed', ...simplest(safe, best, final) }
  }
  const idle = asksForTime(preference) ? idleOf(today.runs, today.candidate.slots) : null
  if (idle) return { kind: 'idle', ...kept, ...idle }
  return judged(safe, best, final)
}

/** Where nobody waits, a setting can still be cheaper or safer. */
const asksForTime = (preference: Preference): boolean =>
  preference === 'time' || preference === 'balance'

/** The figures whose effects are corrected together over all finalists. */
const goals = ['p95', 'ciMinutes'] as const satisfies readonly FigureName[]

/** Decides by the effects on the score, corrected together with those on time and cost. */
function judged(safe: readonly Trial[], best: Trial, final: Final): Verdict {
  const { today, preference, least } = final
  const kept = { choice: today, best, tied: [] }
  const missing = fewestForInterval - today.runs.length
  if (missing > 0) return { kind: 'unsure', ...kept, moreSeeds: missing }
  const scores = safe.map(({ runs }) => scorePairs(preference, runs, today.runs))
  const others = safe.flatMap(({ runs }) => goals.map((name) => pairsOf(name, runs, today.runs)))
  const effects = judgedTogether([...scores, ...others], least)
  const better = safe.filter((_, index) => effects[index]?.verdict.kind === 'do')
  if (better.length > 0) {
    const winner = bestOf(better, preference)
    return { kind: 'change', because: 'better', ...simplest(better, winner, final) }
  }
  const own = effects[safe.indexOf(best)]
  if (own?.verdict.kind !== 'cannot tell' || !mayBeBetter(own, least)) {
    return { kind: 'keep', ...kept }
  }
  return { kind: 'unsure', ...kept, moreSeeds: own.verdict.moreSeeds }
}

/** True if the effect may be better than the least effect. A count is of another scale. */
function mayBeBetter({ effect }: JudgedEffect, least: number): boolean {
  if (!effect) return false
  return effect.measure === 'difference' || endsOf(effect.size).low < 1 - least
}

/**
 * Of the settings that are less than the least effect behind the best, returns the one that changes
 * the fewest fields, and of several the one with the fewest unproven merges.
 */
function simplest(all: readonly Trial[], best: Trial, final: Final): Chosen<Trial> {
  const tied = all.filter((trial) => trial === best || isTied(trial, best, final))
  const changes = ({ candidate }: Trial): number => Object.keys(candidate.assignments).length
  const [choice = best] = tied.toSorted(
    (a, b) =>
      changes(a) - changes(b) ||
      meanCount(a.runs, 'unproven') - meanCount(b.runs, 'unproven') ||
      meanScore(a.runs, final.preference) - meanScore(b.runs, final.preference),
  )
  return { choice, best, tied: tied.filter((trial) => trial !== choice) }
}

function isTied({ runs }: Trial, best: Trial, { preference, least }: Final): boolean {
  const paired = scorePairs(preference, runs, best.runs)
  return paired.values.length > 0 && meanOf(paired.values) < limitsOf(paired, least).high
}

/** True if main is broken for surely longer. Such a setting is not advised. */
export function breaksMain(trial: Trial, today: Trial): boolean {
  const minutes = ({ runs }: Trial): (number | null)[] => runs.map(({ broken }) => broken)
  const more = differenceOf(minutes(trial), minutes(today))
  return more !== null && readingOf(more) === 'more'
}

function bestOf(trials: readonly Trial[], preference: Preference): Trial {
  const [best] = bestFirst(trials, preference)
  if (!best) throw new Error('no setting to choose from')
  return best
}

export function meanCount(runs: readonly TuneFigures[], name: 'unproven' | 'evicted'): number {
  return meanOf(runs.map((run) => run[name] ?? 0))
}

// Cases in which no setting can be advised, whatever the figures of the settings are.

/** Nothing lands in any seed. */
export function isEmpty(runs: readonly TuneFigures[]): boolean {
  return runs.every(({ landed }) => landed === 0)
}

/** Nothing is drawn: every setting has the same figures with every seed. */
export function isAlways(settings: readonly (readonly TuneFigures[])[]): boolean {
  return settings.every(
    (runs) => runs.length > 1 && new Set(runs.map((run) => JSON.stringify(run))).size === 1,
  )
}

/** Nobody waits if the time in queue is longer than a run by at most this share. */
const mostWait = 0.05

type Idle = {
  /** The means of the p95 in queue and of the p95 of the lengths of runs, in minutes. */
  readonly queueP95: number
  readonly runP95: number
  readonly peakSlots: number
  readonly concurrency: number
}

/**
 * Returns the figures of an idle queue: nobody waits, and the slots are never used up. Returns null
 * for any other. A single slot is used up by any run, so there only the wait counts (S-231).
 */
export function idleOf(runs: readonly TuneFigures[], concurrency: number): Idle | null {
  const times = runs.flatMap(({ queueP95, runP95 }) =>
    queueP95 === null || runP95 === null ? [] : [{ queueP95, runP95 }],
  )
  if (times.length === 0) return null
  const queueP95 = meanOf(times.map((each) => each.queueP95))
  const runP95 = meanOf(times.map((each) => each.runP95))
  const peakSlots = Math.max(...runs.map(({ peakMainRuns }) => peakMainRuns))
  const isWaiting = queueP95 > runP95 * (1 + mostWait)
  const isUsedUp = concurrency > 1 && peakSlots >= concurrency
  return isWaiting || isUsedUp ? null : { queueP95, runP95, peakSlots, concurrency }
}

// Effects: how a setting differs from another one on the same seeds. Durations and costs are compared
// as ratios, counts as differences, because many counts are zero.

type Runs = readonly TuneFigures[]

/** Pairs one figure of two settings by seed. A seed without a value leaves no pairs at all. */
export function pairsOf(name: FigureName, setting: Runs, other: Runs): Paired {
  const [a, b] = [setting.map((run) => run[name]), other.map((run) => run[name])]
  if ([...a, ...b].includes(null)) return nothing
  return figureTable[name].kind === 'amount' ? pairedRatios(a, b) : pairedCounts(a, b)
}

/** Pairs the scores of two settings: logarithms of ratios, or counts of unproven merges. */
export function scorePairs(preference: Preference, setting: Runs, other: Runs): Paired {
  if (preference === 'safety') return pairsOf('unproven', setting, other)
  const values = setting.flatMap((run, index) => {
    const before = other[index]
    const [a, b] = [scoreOf(run, preference), before ? scoreOf(before, preference) : null]
    return a === null || b === null ? [] : [a - b]
  })
  return values.length < setting.length ? nothing : { measure: 'ratio', values, of: null }
}

const nothing: Paired = { measure: 'difference', values: [], of: null }

// What the document says of the figures of a setting over its seeds, and of an effect.

/** A figure of a setting over its seeds. */
type FigureResult = {
  readonly mean: Interval
  /** Four of five seeds are in it; null for too few seeds. */
  readonly range: { readonly low: number; readonly high: number } | null
}

/** A ratio to today's setting or a difference from it, and whether it is worth acting on. */
export type EffectResult = Effect & { readonly verdict: EffectVerdict }

export type FigureResults = Readonly<Partial<Record<FigureName, FigureResult | null>>>

export type Effects = Readonly<Partial<Record<FigureName, EffectResult | null>>>

export function figuresOf(runs: readonly TuneFigures[]): FigureResults {
  return Object.fromEntries(
    figureNames.map((name) => [name, figureOf(runs.map((run) => run[name]))]),
  )
}

/** The figures that tell settings apart that were left in the search. */
export const fewFigures = ['p95', 'ciMinutes', 'price', 'evicted', 'unproven', 'broken'] as const

export function fewFiguresOf(runs: readonly TuneFigures[]): FigureResults {
  const found = fewFigures.flatMap((name) => {
    const result = figureOf(runs.map((run) => run[name]))
    return result ? [[name, { mean: result.mean, range: null }] as const] : []
  })
  return Object.fromEntries(found)
}

/** Leaves out seeds without a value. Returns null if there is none with one. */
function figureOf(all: readonly (number | null)[]): FigureResult | null {
  const values = all.filter((value) => value !== null)
  return values.length === 0 ? null : { mean: intervalOf(values), range: rangeOfSeeds(values) }
}

/**
 * Returns the effects of settings against today's. Those of all on time and cost hold together; the
 * others are corrected each for itself.
 */
export function effectsOf(trials: readonly Trial[], today: Trial, least: number): Effects[] {
  const family = trials.flatMap(({ runs }) => goals.map((name) => pairsOf(name, runs, today.runs)))
  const together = judgedTogether(family, least)
  return trials.map(({ runs }, index) =>
    Object.fromEntries(
      figureNames.map((name) => {
        const goal = goals.findIndex((each) => each === name)
        const [alone] = judgedTogether([pairsOf(name, runs, today.runs)], least)
        const found = goal === -1 ? alone : together[index * goals.length + goal]
        return [name, found?.effect ? { ...found.effect, verdict: found.verdict } : null]
      }),
    ),
  )
}

// How much single seeds differ: what the interval of a mean does not say.

/**
 * Returns the range in which about 80 % of single seeds fall: from the 10 % to the 90 % quantile at
 * rank p (n + 1), of which a new seed is in between with 80 %. Returns null for fewer than 10 seeds.
 */
export function rangeOfSeeds(
  values: readonly number[],
): { readonly low: number; readonly high: number } | null {
  if (values.length < fewestForInterval) return null
  const sorted = Float64Array.from(values).sort()
  return { low: quantileOf(sorted, 0.1), high: quantileOf(sorted, 0.9) }
}
