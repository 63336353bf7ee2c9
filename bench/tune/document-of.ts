/** Makes the result document of a finished tune run. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { blockDaysOf } from '../../sim/world/resample-weeks.ts'
import { labelOfValue, mostSlots } from '../queues/parameters.ts'
import type { QueueConfiguration } from '../queues/queue.ts'
import { assumptionsOf } from './assumptions.ts'
import type {
  AxisResult,
  BesideResult,
  NamedResult,
  SettingResult,
  TuneDocument,
  VerdictResult,
} from './document.ts'
import { meanScore, preferences } from './figures/wishes.ts'
import type { AroundAxis } from './final/decide.ts'
import { effectsOf, fewFiguresOf, figuresOf } from './final/figure-results.ts'
import { type Verdict, breaksMain } from './final/verdict.ts'
import { eventsIn } from './search/budget.ts'
import type { Trial } from './search/run-settings.ts'
import { sensitivityResults } from './sensitivity/results.ts'
import { type QueueAddress, curlLine } from './settings/curl.ts'
import { configurationOf } from './settings/ladders.ts'
import { isAllowed } from './settings/unproven.ts'
import type { TuneRequest, Tuned } from './tune.ts'

/** `beside` is the search of Mergeyard's settings, if the queue is another product's. */
export function documentOf(
  tuned: Tuned,
  address: QueueAddress,
  beside: Tuned | null = null,
): TuneDocument {
  const { request, search, verdict, final, axes, sensitivity } = tuned
  const mergeyard = beside && documentOf(beside, address)
  const { scenario, preference, budget } = request
  const alike = alikeOf(final, verdict.choice)
  return {
    scenario: scenario.name,
    description: scenario.description ?? null,
    assumptions: [
      ...modelWords(request),
      ...assumptionsOf(scenario),
      ...drawnWords(scenario),
      ...assumedWords(scenario),
    ],
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
      rungs: search.rungs,
      events: tuned.events,
      runs: tuned.runs,
    },
    seeds: request.seeds.length,
    verdict: verdictResult(verdict, alike, address),
    configuration: configurationOfChoice(tuned, address),
    beside: beside && mergeyard && besideOf(tuned, beside, mergeyard),
    named: namedOf(tuned, alike),
    settings: settingsIn(tuned, alike),
    stretches: tuned.stretches,
    sensitivity: sensitivity && sensitivityResults(sensitivity.examined, sensitivity.contest),
    untried: sensitivity?.untried.map(({ name }) => name) ?? [],
  }
}

/** What the seeds draw of a history. */
function drawnWords(scenario: Scenario): string[] {
  const days = blockDaysOf(scenario)
  const unit = days === 1 ? 'days' : 'weeks'
  return days === null ? [] : [`The ${unit} of the history are drawn anew with each seed.`]
}

/** What an import assumed, and how to replace it. */
function assumedWords({ assumed = [] }: Scenario): string[] {
  return assumed.map(
    ({ what, value, replace }) =>
      `Assumed by the import: ${what}, ${value}; to replace: ${replace}.`,
  )
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
  const { search, rivals, request, final } = tuned
  const [today] = final
  if (!today) return []
  const least = request.leastPercent / 100
  const inFinal = new Set(final.map(({ candidate }) => candidate.key))
  const rungOf = new Map(search.tried.map((trial) => [trial.candidate.key, trial.rung]))
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
    rung: rungOf.get(trial.candidate.key) ?? 0,
    isTooSlow: trial.isTooSlow,
    breaksMain: role !== 'searched' && !trial.isTooSlow && breaksMain(trial, today),
    seeds: trial.runs.length,
    sameAs: alike.get(trial)?.candidate.name ?? null,
    figures: role === 'searched' ? fewFiguresOf(trial.runs) : figuresOf(trial.runs),
    againstToday: trial.isTooSlow ? null : (effects.get(trial) ?? null),
  })
  const left = search.tried.filter(({ candidate }) => !inFinal.has(candidate.key))
  return [
    ...judged.map((trial) => resultOf(trial, 'finalist')),
    ...others.map((trial) => resultOf(trial, 'around')),
    ...left.toSorted((a, b) => b.rung - a.rung).map((trial) => resultOf(trial, 'searched')),
  ]
}

function verdictResult(verdict: Verdict, alike: Alike, address: QueueAddress): VerdictResult {
  const { choice, best } = verdict
  const tied = new Set(verdict.tied.map((trial) => alike.get(trial) ?? trial))
  const chosen = {
    choice: choice.candidate.name,
    best: best.candidate.name,
    tied: [...tied].filter((each) => each !== choice).map(({ candidate }) => candidate.name),
  }
  switch (verdict.kind) {
    case 'change': {
      const { kind, because } = verdict
      return { kind, because, ...chosen, curl: curlLine(choice.candidate.assignments, address) }
    }
    case 'unsure':
      return { kind: 'unsure', ...chosen, moreSeeds: verdict.moreSeeds }
    case 'idle':
      return { kind: 'idle', ...chosen, ...verdict.idle, concurrency: choice.candidate.slots }
    case 'keep':
    case 'empty':
    case 'always':
      return { kind: verdict.kind, ...chosen }
  }
}

/** A score that is better than today's by less is no reason for a name. */
const worthAName = 0.01

/** Only settings that may be advised have a name, and today's. */
function namedOf({ final, request }: Tuned, alike: Alike): NamedResult {
  const [today] = final
  const named = final.filter(
    (trial) =>
      trial === today ||
      (today !== undefined &&
        !trial.isTooSlow &&
        isAllowed(trial.candidate, request.allowed) &&
        !breaksMain(trial, today)),
  )
  const least = (measure: (trial: Trial) => number): string => {
    const [found] = named.toSorted((a, b) => measure(a) - measure(b))
    if (!found || !today) return ''
    const isNoBetter = measure(found) > measure(today) - worthAName
    return isNoBetter ? today.candidate.name : (alike.get(found) ?? found).candidate.name
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
    if (trial.isTooSlow || trial.runs.length === 0) continue
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
function besideOf(tuned: Tuned, beside: Tuned, mergeyard: TuneDocument): BesideResult | null {
  const best = advisedOrBest(beside.verdict)
  const setting = mergeyard.settings.find(({ name }) => name === best.candidate.name)
  if (!setting) return null
  const { choice } = tuned.verdict
  const least = tuned.request.leastPercent / 100
  const isComparable = !best.isTooSlow && !choice.isTooSlow
  const [effects = null] = isComparable ? effectsOf([best], choice, least) : []
  return {
    verdict: beside.verdict.kind,
    setting: { ...setting, againstToday: null },
    againstChoice: effects,
  }
}

function advisedOrBest(verdict: Verdict): Trial {
  return verdict.kind === 'change' ? verdict.choice : verdict.best
}
