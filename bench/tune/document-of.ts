/** Makes the result document of a finished tune run. */

import { assumptionsOf } from './assumptions.ts'
import { besideOf, configurationOfChoice, modelWords } from './other-queue.ts'
import type {
  AxisResult,
  NamedResult,
  SettingResult,
  TuneDocument,
  VerdictResult,
} from './document.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { blockDaysOf } from '../../sim/world/resample-weeks.ts'
import { alikeOf } from './final/alike.ts'
import { effectsOf, fewFiguresOf, figuresOf } from './final/figure-results.ts'
import { breaksMain, type Verdict } from './final/verdict.ts'
import { eventsIn } from './search/budget.ts'
import type { Trial } from './search/run-settings.ts'
import { meanScore, preferences } from './figures/wishes.ts'
import { curlLine, type QueueAddress } from './settings/curl.ts'
import { isAllowed } from './settings/unproven.ts'
import { sensitivityResults } from './sensitivity/results.ts'
import type { AroundAxis } from './final/decide.ts'
import type { Tuned } from './tune.ts'

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
