/** A whole tune run: the search, the final on other seeds, and what each axis does to the choice. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { Values } from '../queues/parameters.ts'
import type { OtherQueue } from '../queues/queue.ts'
import { meanScore, wishesOf } from './figures/wishes.ts'
import { type AroundAxis, type Decided, decided } from './final/decide.ts'
import { type FinalRequest, FinalRuns } from './final/final-runs.ts'
import { type StretchResult, holdsIn, inStretches } from './final/stretches.ts'
import type { Verdict } from './final/verdict.ts'
import { type Budget, hasFineSteps, sensitivityEventsIn } from './search/budget.ts'
import { type Search, searched } from './search/halving.ts'
import type { SettingRunner, Trial } from './search/run-settings.ts'
import { assumptionsIn } from './sensitivity/assumptions.ts'
import { type Contest, contestOf } from './sensitivity/leads.ts'
import { type Sensitivity, sensitivityOf } from './sensitivity/sensitivity.ts'
import type { TuneAxis } from './settings/axes.ts'
import { type Candidate, type CandidateSource, Candidates } from './settings/candidates.ts'
import { bisectionLadder, fineLaddersOf, laddersOf } from './settings/ladders.ts'
import { candidatesOf, combinations } from './settings/nearest.ts'
import { OtherCandidates, otherLadders } from './settings/other-candidates.ts'
import { type UnprovenKind, isAllowed } from './settings/unproven.ts'

export type TuneRequest = FinalRequest &
  SpaceRequest & {
    readonly budget: Budget
    /** The search drops no setting before its end, so that all its runs are known at its start. */
    readonly isOneRound: boolean
    readonly allowed: readonly UnprovenKind[]
  }

export type Tuned = {
  readonly request: TuneRequest
  readonly search: Search
  readonly combinations: number
  readonly verdict: Verdict
  /** How the setting compares with today's in the stretches of a history; none in a short one. */
  readonly stretches: readonly StretchResult[]
  /** All settings that ran on the seeds of the final, today's first. */
  readonly final: readonly Trial[]
  /** Those of them that were compared with today's, the choice included. */
  readonly rivals: readonly Trial[]
  readonly axes: readonly AroundAxis[]
  /** How far the advice holds; null where nothing was decided. */
  readonly sensitivity: Examination | null
  readonly runs: number
  readonly events: number
}

/** The seeds of the search are far from those that a command names. */
const firstSearchSeed = 1_000_001

export async function tuned(request: TuneRequest, runner: SettingRunner): Promise<Tuned> {
  const { scenario, seeds, budget, preference } = request
  const space = spaceOf(request, hasFineSteps(budget))
  const { searchAxes, coarse, made } = space
  const isFine = (candidate: Candidate): boolean => isAllowed(candidate, request.allowed)
  const search = await searched(runner, {
    budget,
    isOneRound: request.isOneRound,
    firstSeed: Math.max(firstSearchSeed, Math.max(...seeds) + 1),
    wishes: wishesOf(preference, scenario.prices !== undefined),
    candidates: (most) => candidatesOf(made, searchAxes, { most, isAllowed: isFine }),
    isAllowed: isFine,
    moves: space.moves,
    moreRungs: space.moreRungs,
  })
  const final = new FinalRuns(request, runner, search, isFine)
  const axes = space.axes.map((axis, index) =>
    withFound(coarse[index] ?? axis, axis, search.finalists),
  )
  const whole = await decided(final, { made, axes })
  const { mostEvents } = search
  const found = await inAllStretches(whole, final, { request, runner, mostEvents })
  const sensitivity = await examined(found.verdict, final, { request, runner, mostEvents })
  return {
    request,
    search,
    combinations: combinations(searchAxes).length,
    ...found,
    final: final.trials,
    rivals: final.rivals,
    sensitivity,
    runs: runner.runs,
    events: runner.events,
  }
}

type Rest = {
  readonly request: TuneRequest
  readonly runner: SettingRunner
  readonly mostEvents: number
}

/** What is better on the whole history and not in its stretches is not advised. */
async function inAllStretches(
  found: Decided,
  { trials: [today] }: FinalRuns,
  { request, runner, mostEvents }: Rest,
): Promise<Pick<Tuned, 'verdict' | 'axes' | 'stretches'>> {
  const { verdict } = found
  const { scenario, seeds, preference } = request
  const isBetter = verdict.kind === 'change' && verdict.because === 'better'
  if (!today || !(isBetter || verdict.kind === 'unsure')) return { ...found, stretches: [] }
  const subject = isBetter ? verdict.choice : verdict.best
  if (subject === today) return { ...found, stretches: [] }
  const compared = { scenario, subject, today, seeds, preference, mostEvents }
  const stretches = await inStretches(runner, compared)
  if (!isBetter || holdsIn(stretches)) return { ...found, stretches }
  const seasonal = { choice: today, best: subject, tied: [], moreSeeds: null }
  return { ...found, verdict: { kind: 'unsure', ...seasonal }, stretches }
}

// Examines how far the advice of a tune run holds.

type Examination = Sensitivity & { readonly contest: Contest }

type Examined = {
  readonly request: FinalRequest & { readonly scenario: Scenario; readonly budget: Budget }
  readonly runner: SettingRunner
  readonly mostEvents: number
}

/** Runs on the first seeds of the final; null where nothing was decided. */
async function examined(
  verdict: Verdict,
  { trials: [today], rivals, least }: FinalRuns,
  { request, runner, mostEvents }: Examined,
): Promise<Examination | null> {
  const { preference, scenario, seeds, budget } = request
  const best = rivals.toSorted(
    (a, b) => meanScore(a.runs, preference) - meanScore(b.runs, preference),
  )
  const contest = today ? contestOf(verdict, today, { rivals: best, least }) : null
  if (!contest || contest.rivals.length === 0 || isOfModel(contest)) return null
  const found = await sensitivityOf(runner, {
    ...{ contest, seeds, preference, mostEvents },
    assumptions: assumptionsIn(scenario),
    budget: sensitivityEventsIn(budget),
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

// What a tune run searches: the axes, and how settings are made on them.

type SpaceRequest = {
  readonly scenario: Scenario
  /** Another product's queue and its setting today; null for Mergeyard's. */
  readonly other: OtherToday | null
  /** The axes to search; null for all that a maintainer can set. */
  readonly axes: readonly TuneAxis[] | null
  /** The paths of fields that the command gave a single value: they are not searched. */
  readonly fixed: ReadonlySet<string>
}

type OtherToday = {
  readonly queue: OtherQueue
  readonly values: Values
  /** The parts of the scenario that no strategy gets. */
  readonly leftOut: readonly string[]
}

type Space = {
  readonly searchAxes: readonly TuneAxis[]
  /** All axes, with the finer values that only the last rungs try. */
  readonly axes: readonly TuneAxis[]
  /** The same axes without the finer values. */
  readonly coarse: readonly TuneAxis[]
  readonly made: CandidateSource
  /** Settings near a survivor that join in the last rungs; null for none. */
  readonly moves: ((candidate: Candidate) => Candidate[]) | null
  readonly moreRungs: number
}

/** The finer steps of a long search are halved as often. */
const fineRungs = 3

/** Returns what the command asks to search; with finer steps if the budget allows them. */
function spaceOf(request: SpaceRequest, isFine: boolean): Space {
  const { scenario, other, axes: named, fixed } = request
  const isFree = ({ values }: TuneAxis): boolean =>
    values.every(({ assignments }) => Object.keys(assignments).every((path) => !fixed.has(path)))
  if (other) {
    const ladders = named ?? otherLadders(other.queue, scenario, other.values)
    const axes = ladders.filter(isFree)
    const made = new OtherCandidates(other.queue, scenario, other.values, axes)
    return { searchAxes: axes, axes, coarse: axes, made, moves: null, moreRungs: 1 }
  }
  const searchAxes = (named ?? laddersOf(scenario)).filter(isFree)
  const [bisection = null] = named ? [] : [bisectionLadder(scenario)].filter(isFree)
  const coarse = bisection ? [...searchAxes, bisection] : searchAxes
  const fine = named || !isFine ? [] : fineLaddersOf(scenario).filter(isFree)
  const axes = coarse.map((axis) => fine.find(({ name }) => name === axis.name) ?? axis)
  const made = new Candidates(scenario, axes)
  const moves = (candidate: Candidate): Candidate[] => [
    ...(bisection ? made.around(candidate, bisection) : []),
    ...fine.flatMap((axis) => made.nextTo(candidate, axis)),
  ]
  return {
    ...{ searchAxes, axes, coarse, made },
    moves: bisection || fine.length > 0 ? moves : null,
    moreRungs: fine.length > 0 ? fineRungs : 1,
  }
}

/** Returns the axis with those values of a finer one that finalists have. */
function withFound(
  axis: TuneAxis,
  { values }: TuneAxis,
  finalists: readonly Candidate[],
): TuneAxis {
  const found = new Set(finalists.map(({ labels }) => labels[axis.name]))
  const coarse = new Set(axis.values.map(({ label }) => label))
  return { ...axis, values: values.filter(({ label }) => coarse.has(label) || found.has(label)) }
}
