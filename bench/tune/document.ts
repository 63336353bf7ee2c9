/**
 * The result document of a tune run. It holds no wall-clock time and no path, so fixed seeds give
 * the same bytes.
 */

import type { Prices } from '../../sim/result/price.ts'
import { labelOfValue, mostSlots } from '../queues/queue.ts'
import type { OtherQueueName, QueueConfiguration } from '../queues/queue.ts'
import { assumptionsOf, importWords } from './assumptions.ts'
import { type Assignments, configurationOf } from './axes.ts'
import { type QueueAddress, type UnprovenKind, curlLine, isAllowed } from './candidates.ts'
import { type Preference, meanScore, preferences } from './figures.ts'
import type { AroundAxis, TuneRequest } from './final.ts'
import type { QuarantineAdvice } from './quarantine.ts'
import { type PoliciesResult, policiesIn, type Tuned } from './tune.ts'
import { type Trial, eventsIn } from './runner.ts'
import type { Sensitivity } from './sensitivity.ts'
import type { StretchResult, UnseenResult } from './stretches.ts'
import { breaksMain, effectsOf, fewFiguresOf, figuresOf } from './verdict.ts'
import type { Effects, FigureResults, Verdict, VerdictOn } from './verdict.ts'

export type TuneDocument = Sensitivity & {
  readonly scenario: string
  readonly description: string | null
  readonly assumptions: readonly string[]
  /** What the command asked for. */
  readonly asked: AskedResult
  readonly axes: readonly AxisResult[]
  readonly search: SearchResult
  readonly seeds: number
  readonly verdict: VerdictResult
  /** The configuration that sets the choice, if it is another product's queue that changes. */
  readonly configuration: QueueConfiguration | null
  /** What Mergeyard would have given, if the queue is another product's. */
  readonly beside: BesideResult | null
  /** The adaptive policy against the best fixed setting; null if the final has only one of them. */
  readonly policies: PoliciesResult | null
  /** Settings by what they are best at, among those of the final. */
  readonly named: NamedResult
  /** All simulated settings: those of the final first. */
  readonly settings: readonly SettingResult[]
  /** How the advised setting, or the best, does in the stretches of a history; else empty. */
  readonly stretches: readonly StretchResult[]
  /** The advice on what was kept apart, against today's setting there; null if it was not tried. */
  readonly unseen: UnseenResult | null
  /** Null without flaky tests, and for another product's queue. */
  readonly quarantine: QuarantineAdvice | null
}

type AskedResult = {
  /** The queue whose settings are searched: the real engine, or a model of another product. */
  readonly queue: 'mergeyard' | OtherQueueName
  readonly preference: { readonly name: Preference; readonly means: string }
  readonly allowedUnproven: readonly UnprovenKind[]
  /** An effect below this size is no reason to change, in percent. */
  readonly leastEffectPercent: number
  /** Null if no price was given. */
  readonly prices: Prices | null
  /** When a healthy pull request that was evicted comes again; null if it does not. */
  readonly resubmitAfterMinutes: number | null
}

type AxisResult = {
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly values: readonly string[]
  /** The value of today's setting and of the choice; null if the axis has no such value. */
  readonly today: string | null
  readonly choice: string | null
  /** True if an import assumed today's value. */
  readonly isAssumed: boolean
  /** The values that make no difference from the choice's, itself included; the others are equal. */
  readonly same: readonly string[]
}

type SearchResult = {
  /** The budget as the command names it, and the events that it stands for. */
  readonly budget: string
  readonly budgetEvents: number
  /** The combinations of the axes, and how many of them were simulated. */
  readonly combinations: number
  readonly simulated: number
  /** The seeds of each of them. */
  readonly seeds: number
  /** All simulated events and runs, with those of the final. */
  readonly events: number
  readonly runs: number
}

export type SettingResult = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly set: Assignments
  readonly isToday: boolean
  /**
   * `finalist`: compared with today's in the final. `around`: differs from the choice on one axis, on the same seeds as
   * the final. `searched`: left in the search; its seeds are others, and few.
   */
  readonly role: 'finalist' | 'around' | 'searched'
  /** True if main is broken for surely longer than with today's. Such a setting is not advised. */
  readonly breaksMain: boolean
  readonly seeds: number
  /** Another setting of the final that has the very same figures with every seed; else null. */
  readonly sameAs: string | null
  /** Of a setting that was left in the search, only the few that tell it from others. */
  readonly figures: FigureResults
  /** Compared with today's on the same seeds; null for today's, and for those left in the search. */
  readonly againstToday: Effects | null
}

/** The best setting of Mergeyard after a search of the same budget, on the same seeds. */
export type BesideResult = {
  /** The kind of the verdict on Mergeyard's own settings. */
  readonly verdict: VerdictResult['kind']
  /** Compared with the choice, not with today's: `againstToday` is null. */
  readonly setting: SettingResult
  readonly againstChoice: Effects
}

type Changed<Result> = Result extends { readonly kind: 'change' }
  ? // The command that sets it; null if no setting of the queue changes.
    Result & { readonly curl: string | null }
  : Result

/** Names of settings; only a change has a command. */
type VerdictResult = Changed<VerdictOn<string>>

/** Names of settings. */
type NamedResult = {
  readonly safest: string
  readonly cheapest: string
  readonly fastest: string
}

// How the document is made of a finished run.

/** `beside` is the search of Mergeyard's settings, if the queue is another product's. */
export function documentOf(
  tuned: Tuned,
  address: QueueAddress,
  beside: Tuned | null = null,
): TuneDocument {
  const { request, search, verdict, final, axes, runner } = tuned
  const { scenario, preference, budget } = request
  const alike = alikeOf(final, verdict.choice)
  return {
    scenario: scenario.name,
    description: scenario.description ?? null,
    assumptions: [...modelWords(request), ...assumptionsOf(scenario), ...importWords(scenario)],
    asked: {
      queue: request.other?.queue.name ?? 'mergeyard',
      preference: { name: preference, means: preferences[preference] },
      allowedUnproven: request.allowed,
      leastEffectPercent: request.leastPercent,
      prices: scenario.prices ?? null,
      resubmitAfterMinutes: scenario.resubmit?.afterMinutes ?? null,
    },
    axes: axes.map((axis) => axisResult(axis, tuned)),
    search: {
      budget: budget.text,
      budgetEvents: eventsIn(budget),
      combinations: tuned.combinations,
      simulated: search.tried.length,
      seeds: search.seeds,
      events: runner.events,
      runs: runner.runs,
    },
    seeds: request.seeds.length,
    verdict: verdictResult(verdict, alike, address),
    configuration: configurationOfChoice(tuned, address),
    beside: beside && besideOf(tuned, beside),
    policies: policiesIn(tuned),
    named: namedOf(tuned, alike),
    settings: settingsIn(tuned, alike),
    stretches: tuned.stretches,
    unseen: tuned.unseen,
    sensitivity: tuned.sensitivity,
    untried: tuned.untried,
    quarantine: tuned.quarantine,
  }
}

function axisResult({ axis, same }: AroundAxis, { request, search, verdict }: Tuned): AxisResult {
  const { name, title, unit, values } = axis
  const { assumed = [] } = request.scenario
  return {
    ...{ name, title, unit },
    values: values.map(({ label }) => label),
    today: search.today.labels[name] ?? null,
    choice: verdict.choice.candidate.labels[name] ?? null,
    isAssumed: assumed.some(({ what }) => what === name),
    same,
  }
}

type Alike = ReadonlyMap<Trial, Trial>

function settingsIn(tuned: Tuned, alike: Alike): SettingResult[] {
  const { search, today, rivals, final, least } = tuned
  const inFinal = new Set(final.map(({ candidate }) => candidate.key))
  const judged = [today, ...rivals]
  const others = final.filter((trial) => !judged.includes(trial))
  const effects = new Map(
    [judged.slice(1), others].flatMap((trials) => {
      const found = effectsOf(trials, today, least)
      return trials.map((trial, index) => [trial, found[index] ?? null] as const)
    }),
  )
  const resultOf = (trial: Trial, role: SettingResult['role']): SettingResult => ({
    name: trial.candidate.name,
    labels: trial.candidate.labels,
    set: trial.candidate.assignments,
    isToday: trial.candidate.isToday,
    role,
    breaksMain: role !== 'searched' && breaksMain(trial, today),
    seeds: trial.runs.length,
    sameAs: alike.get(trial)?.candidate.name ?? null,
    figures: role === 'searched' ? fewFiguresOf(trial.runs) : figuresOf(trial.runs),
    againstToday: effects.get(trial) ?? null,
  })
  const left = search.tried.filter(({ candidate }) => !inFinal.has(candidate.key))
  return [
    ...judged.map((trial) => resultOf(trial, 'finalist')),
    ...others.map((trial) => resultOf(trial, 'around')),
    ...left.map((trial) => resultOf(trial, 'searched')),
  ]
}

function verdictResult(verdict: Verdict, alike: Alike, address: QueueAddress): VerdictResult {
  const { choice, best } = verdict
  const tied = new Set(verdict.tied.map((trial) => alike.get(trial) ?? trial))
  const names = {
    choice: choice.candidate.name,
    best: best.candidate.name,
    tied: [...tied].filter((each) => each !== choice).map(({ candidate }) => candidate.name),
  }
  return verdict.kind === 'change'
    ? { ...verdict, ...names, curl: curlLine(choice.candidate.assignments, address) }
    : { ...verdict, ...names }
}

/** A score that is better than today's by less is no reason for a name. */
const worthAName = 0.01

/** Only settings that may be advised have a name, and today's. */
function namedOf({ final, today, request }: Tuned, alike: Alike): NamedResult {
  const named = final.filter(
    (trial) =>
      trial === today ||
      (trial.runs.length === today.runs.length &&
        isAllowed(trial.candidate, request.allowed) &&
        !breaksMain(trial, today)),
  )
  const least = (measure: (trial: Trial) => number): string => {
    const [found = today] = named.toSorted((a, b) => measure(a) - measure(b))
    const isNoBetter = measure(found) > measure(today) - worthAName
    return (isNoBetter ? today : (alike.get(found) ?? found)).candidate.name
  }
  return {
    safest: least(({ runs }) => meanScore(runs, 'safety')),
    cheapest: least(({ runs }) => meanScore(runs, 'cost')),
    fastest: least(({ runs }) => meanScore(runs, 'time')),
  }
}

// Settings that act alike: with every seed they give the very same figures.

/**
 * Returns for each setting that acts like another one the one that stands for both: today's, else
 * the choice, else the one with the fewest changes. These themselves are left out.
 */
export function alikeOf(trials: readonly Trial[], choice: Trial): Map<Trial, Trial> {
  const rankOf = (trial: Trial): number =>
    trial.candidate.isToday ? -1 : trial === choice ? 0 : changesIn(trial)
  const first = new Map<string, Trial>()
  const found = new Map<Trial, Trial>()
  for (const trial of trials.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (trial.runs.length === 0) continue
    const key = JSON.stringify(trial.runs)
    const other = first.get(key)
    if (other) found.set(trial, other)
    else first.set(key, trial)
  }
  return found
}

function changesIn({ candidate }: Trial): number {
  return Object.keys(candidate.assignments).length
}

// The parts of the result that only a search of another product's queue has.

/** What the model of another queue is, and what today's setting is. */
function modelWords({ other, scenario }: TuneRequest): string[] {
  if (!other) return []
  const { queue, values, leftOut } = other
  const today = queue.parameters
    .map(({ name }) => `${name} ${labelOfValue(values[name] ?? null)}`)
    .join(', ')
  const runs = mostSlots(configurationOf(scenario).concurrency)
  return [
    `${queue.title} is a model, after ${queue.after}. It leaves out: ${queue.leavesOut}.`,
    `Today's setting is assumed: its defaults, unless --today names others: ${today}.`,
    `The runners take at most ${runs} runs at once, twice the concurrency of the scenario.`,
    ...(leftOut.length === 0 ? [] : [`Left out, as no other queue has it: ${leftOut.join(', ')}.`]),
  ]
}

/** Only a change has a configuration. */
function configurationOfChoice(
  { request, verdict }: Tuned,
  address: QueueAddress,
): QueueConfiguration | null {
  const { other } = verdict.choice.candidate
  if (verdict.kind !== 'change' || !request.other || !other) return null
  const { repo, branch, isUsualBranch } = address
  const place = { repo, branch: isUsualBranch === true ? null : branch }
  return request.other.queue.configuration(other.values, place)
}

/** Compares Mergeyard's best setting with the choice, on the seeds of both finals. */
function besideOf({ verdict: { choice }, least }: Tuned, beside: Tuned): BesideResult | null {
  const { verdict } = beside
  const best = verdict.kind === 'change' ? verdict.choice : verdict.best
  const settings = settingsIn(beside, alikeOf(beside.final, verdict.choice))
  const setting = settings.find(({ name }) => name === best.candidate.name)
  const [againstChoice = {}] = effectsOf([best], choice, least)
  return setting
    ? { verdict: verdict.kind, setting: { ...setting, againstToday: null }, againstChoice }
    : null
}
