/** A whole tune run: the search, the final on other seeds, stretches, and how far the advice holds. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { Values, OtherQueue } from '../queues/queue.ts'
import { judgedTogether } from '../statistics/effects.ts'
import { assumptionsIn } from './assumptions.ts'
import { type TuneAxis, combinations, laddersOf } from './axes.ts'
import { Candidates, isAllowed, type Candidate, type UnprovenKind } from './candidates.ts'
import { preferencesOf } from './figures.ts'
import { type AroundAxis, Final, type FinalRequest, type Judged } from './final.ts'
import { OtherCandidates, otherLadders, type Space } from './best-setting.ts'
import { type QuarantineAdvice, quarantineAdvice } from './quarantine.ts'
import { type Budget, type SettingRunner, type Trial, eventsIn, hasFineSteps } from './runner.ts'
import { type Search, bestFirst, firstSearchSeed, searched } from './search.ts'
import { type Contest, type Sensitivity, contestOf, sensitivityOf } from './sensitivity.ts'
import { type StretchResult, holdsIn, inStretches } from './stretches.ts'
import { type Verdict, type Effects, breaksMain, effectsOf, scorePairs } from './verdict.ts'

export type TuneRequest = FinalRequest & {
  readonly scenario: Scenario
  /** The part of the history on which the advice is only tried; null if none is kept apart. */
  readonly unseen: Scenario | null
  /** Another product's queue and its setting today; null for Mergeyard's. */
  readonly other: OtherToday | null
  /** The axes to search; null for all that a maintainer can set. */
  readonly axes: readonly TuneAxis[] | null
  /** The paths of fields that the command gave a single value: they are not searched. */
  readonly fixed: ReadonlySet<string>
  readonly budget: Budget
  readonly allowed: readonly UnprovenKind[]
}

type OtherToday = {
  readonly queue: OtherQueue
  readonly values: Values
  /** The parts of the scenario that no strategy gets. */
  readonly leftOut: readonly string[]
}

export type Tuned = {
  readonly request: TuneRequest
  readonly search: Search
  readonly combinations: number
  readonly verdict: Verdict
  /** How the setting compares with today's in the stretches of a history; none in a short one. */
  readonly stretches: readonly StretchResult[]
  /** The advised setting and today's on what was kept apart; null without advice or such a part. */
  readonly unseen: UnseenTrials | null
  /** All settings that ran on the seeds of the final, today's first. */
  readonly final: readonly Trial[]
  /** Those of them that were compared with today's, the choice included. */
  readonly rivals: readonly Trial[]
  readonly axes: readonly AroundAxis[]
  /** How far the advice holds; null where nothing was decided. */
  readonly sensitivity: (Sensitivity & { readonly contest: Contest }) | null
  /** Which tests would be worth a quarantine; null without flaky tests, and for another product's queue. */
  readonly quarantine: QuarantineAdvice | null
  readonly runs: number
  readonly events: number
}

export async function tuned(request: TuneRequest, runner: SettingRunner): Promise<Tuned> {
  const { scenario, seeds, budget, preference } = request
  const { ladders, made } = spaceOf(request)
  const isFine = (candidate: Candidate): boolean => isAllowed(candidate, request.allowed)
  const search = await searched(runner, {
    ...{ budget, made, ladders, isAllowed: isFine, hasFinal: true },
    firstSeed: firstSearchSeed(seeds),
    preferences: preferencesOf(preference, scenario.prices !== undefined),
  })
  const { finalists } = search
  const axes = laddersFound(ladders.steps, request, finalists)
  const final = new Final(request, runner, { made, axes, finalists, isAllowed: isFine })
  const decided = await final.decide()
  const { verdict, stretches } = await inAllStretches(decided.verdict, final.today, request, runner)
  return {
    ...{ request, search, verdict, stretches },
    unseen: await onUnseen(verdict, final.today, request, runner),
    combinations: combinations(ladders.grid).length,
    axes: decided.axes,
    final: final.trials,
    rivals: final.rivals,
    sensitivity: await examined(verdict, final, request, runner),
    quarantine: request.other
      ? null
      : await quarantineAdvice(runner, verdict, { scenario, seeds, budget, least: final.least }),
    runs: runner.runs,
    events: runner.events,
  }
}

/** What is better on the whole history and not in its stretches is not advised. */
async function inAllStretches(
  verdict: Verdict,
  today: Trial,
  { scenario, seeds, preference }: TuneRequest,
  runner: SettingRunner,
): Promise<Pick<Tuned, 'verdict' | 'stretches'>> {
  const isBetter = verdict.kind === 'change' && verdict.because === 'better'
  const subject = isBetter ? verdict.choice : verdict.best
  if (!(isBetter || verdict.kind === 'unsure') || subject === today) {
    return { verdict, stretches: [] }
  }
  const stretches = await inStretches(runner, { scenario, subject, today, seeds, preference })
  if (!isBetter || holdsIn(stretches)) return { verdict, stretches }
  const seasonal = { choice: today, best: subject, tied: [], moreSeeds: null }
  return { verdict: { kind: 'unsure', ...seasonal }, stretches }
}

type UnseenTrials = {
  readonly pullRequests: number
  readonly choice: Trial
  readonly today: Trial
}

/** Runs the advice, and today's setting, on the part of the history that nothing was searched on. */
async function onUnseen(
  { kind, choice }: Verdict,
  today: Trial,
  { unseen, seeds }: TuneRequest,
  runner: SettingRunner,
): Promise<Tuned['unseen']> {
  if (kind !== 'change' || !unseen) return null
  const { pullRequests = [], events = [] } = unseen
  const settings = [choice, today].map(({ candidate }) => ({
    ...candidate,
    scenario: { ...candidate.scenario, pullRequests, events },
  }))
  const [own, base] = await runner.run(settings, seeds, 'what was kept apart')
  return own && base ? { pullRequests: pullRequests.length, choice: own, today: base } : null
}

/** The share of the budget that is for the sensitivity of the advice. */
const sensitivityShare = 0.1

/** Runs on the first seeds of the final; null where nothing was decided. */
async function examined(
  verdict: Verdict,
  { today, rivals, least }: Final,
  { preference, scenario, seeds, budget }: TuneRequest,
  runner: SettingRunner,
): Promise<Tuned['sensitivity']> {
  const contest = contestOf(verdict, today, { rivals: bestFirst(rivals, preference), least })
  if (!contest || contest.rivals.length === 0 || isOfModel(contest)) return null
  const found = await sensitivityOf(runner, {
    ...{ contest, seeds, preference },
    assumptions: assumptionsIn(scenario),
    budget: eventsIn(budget, sensitivityShare),
  })
  return { ...found, contest }
}

/** True if the settings themselves change what is assumed (`--set suite.minutes=5,10`). */
function isOfModel({ subject, rivals }: Contest): boolean {
  const settings = [subject, ...rivals.map(({ trial }) => trial)]
  return settings.some(({ candidate }) =>
    Object.keys(candidate.assignments).some((path) => !path.startsWith('queue.')),
  )
}

/** Returns what the command asks to search; with finer steps if the budget allows them. */
function spaceOf({ scenario, other, axes: named, fixed, budget }: TuneRequest): Space {
  const free = (axes: readonly TuneAxis[]): TuneAxis[] =>
    axes.filter(({ values }) =>
      values.every(({ assignments }) => Object.keys(assignments).every((path) => !fixed.has(path))),
    )
  if (other) {
    const axes = free(named ?? otherLadders(other.queue, scenario, other.values))
    const made = new OtherCandidates(other.queue, scenario, other.values, axes)
    return { ladders: { grid: axes, steps: axes }, made }
  }
  const { grid, steps } = named
    ? { grid: named, steps: named }
    : laddersOf(scenario, hasFineSteps(budget))
  const ladders = { grid: free(grid), steps: free(steps) }
  return { ladders, made: new Candidates(scenario, ladders.steps) }
}

/** Returns the axes of the final: of finer values only those that finalists have. */
function laddersFound(
  steps: readonly TuneAxis[],
  { scenario, other, axes: named }: TuneRequest,
  finalists: readonly Candidate[],
): TuneAxis[] {
  const coarse = other || named ? steps : laddersOf(scenario, false).steps
  return steps.map((axis) => {
    const usual = coarse.find(({ name }) => name === axis.name)?.values ?? []
    const known = new Set(usual.map(({ label }) => label))
    for (const { labels } of finalists) known.add(labels[axis.name] ?? '')
    return { ...axis, values: axis.values.filter(({ label }) => known.has(label)) }
  })
}

// The best fixed setting of a final against the adaptive policy at its best, on the same seeds.

export type PoliciesResult = {
  /** The names of the two settings. */
  readonly adaptive: string
  readonly fixed: string
  /** The fixed setting compared with the adaptive one. */
  readonly fixedAgainstAdaptive: Effects
  /** Which of the two has the surely better score; null if none, or if they cannot be told apart. */
  readonly better: 'fixed' | 'adaptive' | null
}

/** Only those that may be advised: today's setting, unless it is forbidden, and its rivals. */
export function policiesIn({ final, rivals, request, verdict }: Tuned): PoliciesResult | null {
  const [today] = final
  if (!today || verdict.kind === 'empty' || verdict.kind === 'always') return null
  const fine = isAllowed(today.candidate, request.allowed) ? [today, ...rivals] : rivals
  const { preference, leastPercent } = request
  return policiesOf(
    fine.filter((trial) => !breaksMain(trial, today)),
    { preference, least: leastPercent / 100 },
  )
}

/** Returns null if settings of only one policy may be advised. */
export function policiesOf(
  trials: readonly Trial[],
  { preference, least }: Judged,
): PoliciesResult | null {
  const ranked = bestFirst(trials, preference)
  const adaptive = ranked.find(({ candidate }) => candidate.labels['policy'] === 'adaptive')
  const fixed = ranked.find(({ candidate }) => candidate.labels['policy'] === 'documented')
  if (!adaptive || !fixed) return null
  const [fixedAgainstAdaptive = {}] = effectsOf([fixed], adaptive, least)
  const [judged] = judgedTogether([scorePairs(preference, fixed.runs, adaptive.runs)], least)
  const kind = judged?.verdict.kind
  return {
    adaptive: adaptive.candidate.name,
    fixed: fixed.candidate.name,
    fixedAgainstAdaptive,
    better: kind === 'do' ? 'fixed' : kind === 'do not' ? 'adaptive' : null,
  }
}
