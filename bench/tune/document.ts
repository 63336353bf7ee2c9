/**
 * The result document of a tune run. It holds no wall-clock time and no path, so fixed seeds give
 * the same bytes.
 */

import { labelOfValue, mostSlots } from '../queues/queue.ts'
import type { QueueConfiguration } from '../queues/queue.ts'
import { assumptionsOf, importWords } from './assumptions.ts'
import { configurationOf } from './axes.ts'
import { type QueueAddress, curlLine, isAllowed } from './candidates.ts'
import { meanScore, preferences } from './figures.ts'
import type { AroundAxis, TuneRequest } from './final.ts'
import { policiesIn, type Tuned } from './tune.ts'
import { type Trial, eventsIn } from './runner.ts'
import { breaksMain, effectsOf, fewFiguresOf, figuresOf } from './verdict.ts'
import type { Effects, Verdict, VerdictOn } from './verdict.ts'

export type TuneDocument = Readonly<ReturnType<typeof documentOf>>

/** `beside` is the search of Mergeyard's settings, if the queue is another product's. */
export function documentOf(tuned: Tuned, address: QueueAddress, beside: Tuned | null = null) {
  const { request, search, verdict, final, axes, runner } = tuned
  const { scenario, preference, budget } = request
  const alike = alikeOf(final, verdict.choice)
  return {
    scenario: scenario.name,
    description: scenario.description ?? null,
    assumptions: [
      ...modelWords(request),
      ...assumptionsOf(scenario, request.other !== null),
      ...importWords(scenario, request.unseen),
    ],
    /** What the command asked for. */
    asked: {
      /** The queue whose settings are searched: the real engine, or a model of another product. */
      queue: request.other?.queue.name ?? ('mergeyard' as const),
      preference: { name: preference, means: preferences[preference] },
      allowedUnproven: request.allowed,
      /** An effect below this size is no reason to change, in percent. */
      leastEffectPercent: request.leastPercent,
      /** Null if no price was given. */
      prices: scenario.prices ?? null,
      /** When a healthy pull request that was evicted comes again; null if it does not. */
      resubmitAfterMinutes: scenario.resubmit?.afterMinutes ?? null,
    },
    axes: axes.map((axis) => axisResult(axis, tuned)),
    search: {
      /** The budget as the command names it, and the events that it stands for. */
      budget: budget.text,
      budgetEvents: eventsIn(budget),
      /** The combinations of the axes, and how many of them were simulated. */
      combinations: tuned.combinations,
      simulated: search.tried.length,
      /** The seeds of each of them. */
      seeds: search.seeds,
      /** All simulated events, as the budget counts them, and runs, with those of the final. */
      events: runner.events,
      runs: runner.runs,
    },
    seeds: request.seeds.length,
    verdict: verdictResult(verdict, alike, address),
    /** The configuration that sets the choice, if it is another product's queue that changes. */
    configuration: configurationOfChoice(tuned, address),
    /** What Mergeyard would have given, if the queue is another product's. */
    beside: beside && besideOf(tuned, beside),
    /** The adaptive policy against the best fixed setting; null if the final has only one of them. */
    policies: policiesIn(tuned),
    /** Settings by what they are best at, among those of the final. */
    named: namedOf(tuned, alike),
    /** All simulated settings: those of the final first. */
    settings: settingsIn(tuned, alike),
    stretches: tuned.stretches,
    unseen: tuned.unseen,
    sensitivity: tuned.sensitivity,
    untried: tuned.untried,
    quarantine: tuned.quarantine,
  }
}

function axisResult({ axis, same }: AroundAxis, { request, search, verdict }: Tuned) {
  const { name, title, unit, values } = axis
  const { assumed = [] } = request.scenario
  return {
    name,
    title,
    unit,
    values: values.map(({ label }) => label),
    /** The value of today's setting and of the choice; null if the axis has no such value. */
    today: search.today.labels[name] ?? null,
    choice: verdict.choice.candidate.labels[name] ?? null,
    /** True if an import assumed today's value. */
    isAssumed: assumed.some(({ what }) => what === name),
    /** The values that make no difference from the choice's, itself included; the others are equal. */
    same,
  }
}

type Alike = ReadonlyMap<Trial, Trial>

/**
 * `finalist`: compared with today's in the final. `around`: differs from the choice on one axis, on
 * the same seeds as the final. `searched`: left in the search; its seeds are others, and few.
 */
type Role = 'finalist' | 'around' | 'searched'

export type SettingResult = Readonly<ReturnType<typeof settingsIn>[number]>

function settingsIn({ search, today, rivals, final, least }: Tuned, alike: Alike) {
  const judged = new Set([today, ...rivals])
  const others = final.filter((trial) => !judged.has(trial))
  const inFinal = new Set(final.map(({ candidate }) => candidate.key))
  const left = search.tried.filter(({ candidate }) => !inFinal.has(candidate.key))
  const resultsOf = (trials: readonly Trial[], role: Role, effects: readonly Effects[]) =>
    trials.map((trial, index) => ({
      name: trial.candidate.name,
      labels: trial.candidate.labels,
      set: trial.candidate.assignments,
      isToday: trial.candidate.isToday,
      role,
      /** True if main is broken for surely longer than with today's. Such a setting is not advised. */
      breaksMain: role !== 'searched' && breaksMain(trial, today),
      seeds: trial.runs.length,
      /** Another setting of the final that has the very same figures with every seed; else null. */
      sameAs: alike.get(trial)?.candidate.name ?? null,
      /** Of a setting that was left in the search, only the few that tell it from others. */
      figures: role === 'searched' ? fewFiguresOf(trial.runs) : figuresOf(trial.runs),
      /** Compared with today's on the same seeds; null for today's, and for those left in the search. */
      againstToday: effects[index] ?? null,
    }))
  return [
    ...resultsOf([today], 'finalist', []),
    ...resultsOf(rivals, 'finalist', effectsOf(rivals, today, least)),
    ...resultsOf(others, 'around', effectsOf(others, today, least)),
    ...resultsOf(left, 'searched', []),
  ]
}

type Changed<Result> = Result extends { readonly kind: 'change' }
  ? // The command that sets it; null if no setting of the queue changes.
    Result & { readonly curl: string | null }
  : Result

/** Names of settings; only a change has a command. */
type VerdictResult = Changed<VerdictOn<string>>

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
function namedOf({ final, today, request }: Tuned, alike: Alike) {
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
function besideOf({ verdict: { choice }, least }: Tuned, beside: Tuned) {
  const { verdict } = beside
  const best = verdict.kind === 'change' ? verdict.choice : verdict.best
  const settings = settingsIn(beside, alikeOf(beside.final, verdict.choice))
  const setting = settings.find(({ name }) => name === best.candidate.name)
  const [againstChoice = {}] = effectsOf([best], choice, least)
  if (!setting) return null
  return {
    /** The kind of the verdict on Mergeyard's own settings. */
    verdict: verdict.kind,
    /** Compared with the choice, not with today's. */
    setting: { ...setting, againstToday: null },
    againstChoice,
  }
}
