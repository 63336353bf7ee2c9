/** A whole tune run: the search, the final on other seeds, and what each axis does to the choice. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { isNoDifference } from './final/around.ts'
import { fewestForInterval } from '../statistics/interval.ts'
import { FinalRuns, type FinalRequest } from './final/final-runs.ts'
import type { Verdict } from './final/verdict.ts'
import { sensitivityEventsIn, type Budget } from './search/budget.ts'
import { searched, type Search } from './search/halving.ts'
import type { SettingRunner, Trial } from './search/run-settings.ts'
import { meanScore, wishesOf } from './figures/wishes.ts'
import { assumptionsIn } from './sensitivity/assumptions.ts'
import { contestOf, type Contest } from './sensitivity/leads.ts'
import { sensitivityOf, type Sensitivity } from './sensitivity/sensitivity.ts'
import type { TuneAxis } from './settings/axes.ts'
import { Candidates, distinct, type Candidate } from './settings/candidates.ts'
import { candidatesOf, combinations } from './settings/nearest.ts'
import { bisectionLadder, configurationOf, laddersOf } from './settings/ladders.ts'
import { isAllowed, type UnprovenKind } from './settings/unproven.ts'

export type TuneRequest = FinalRequest & {
  readonly scenario: Scenario
  /** The axes to search; null for all that a maintainer can set. */
  readonly axes: readonly TuneAxis[] | null
  /** The paths of fields that the command gave a single value: they are not searched. */
  readonly fixed: ReadonlySet<string>
  readonly budget: Budget
  readonly allowed: readonly UnprovenKind[]
}

export type AroundAxis = {
  readonly axis: TuneAxis
  /** The labels of the values that make no difference from the choice's, itself included. */
  readonly same: readonly string[]
}

export type Tuned = {
  readonly request: TuneRequest
  readonly search: Search
  readonly combinations: number
  readonly verdict: Verdict
  /** All settings that ran on the seeds of the final, today's first. */
  readonly final: readonly Trial[]
  /** Those of them that were compared with today's, the choice included. */
  readonly rivals: readonly Trial[]
  readonly axes: readonly AroundAxis[]
  /** How far the advice holds; null where nothing was decided. */
  readonly sensitivity: (Sensitivity & { readonly contest: Contest }) | null
  readonly runs: number
  readonly events: number
}

/** The seeds of the search are far from those that a command names. */
const firstSearchSeed = 1_000_001

export async function tuned(request: TuneRequest, runner: SettingRunner): Promise<Tuned> {
  const { scenario, seeds, budget, preference } = request
  const isFree = ({ values }: TuneAxis): boolean =>
    values.every(({ assignments }) =>
      Object.keys(assignments).every((path) => !request.fixed.has(path)),
    )
  const searchAxes = (request.axes ?? laddersOf(scenario)).filter(isFree)
  const [bisection = null] = request.axes ? [] : [bisectionLadder(scenario)].filter(isFree)
  const axes = bisection ? [...searchAxes, bisection] : searchAxes
  const made = new Candidates(scenario, axes)
  const isFine = ({ scenario: each }: Candidate): boolean =>
    isAllowed(configurationOf(each), request.allowed)
  const search = await searched(runner, {
    budget,
    firstSeed: Math.max(firstSearchSeed, Math.max(...seeds) + 1),
    wishes: wishesOf(preference, scenario.prices !== undefined),
    candidates: (most) => candidatesOf(made, searchAxes, { most, isAllowed: isFine }),
    isAllowed: isFine,
    moves: bisection ? (candidate) => made.around(candidate, bisection) : null,
  })
  const final = new FinalRuns(request, runner, search, isFine)
  const found = await decided(final, { made, axes })
  const sensitivity = await examined(found.verdict, final, { request, runner, search })
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

type Examination = {
  readonly request: TuneRequest
  readonly runner: SettingRunner
  readonly search: Search
}

/** Examines how far the advice holds, on the first seeds of the final. */
async function examined(
  verdict: Verdict,
  { trials: [today], rivals, least }: FinalRuns,
  { request, runner, search }: Examination,
): Promise<Tuned['sensitivity']> {
  const { preference, scenario, seeds, budget } = request
  const best = rivals.toSorted(
    (a, b) => meanScore(a.runs, preference) - meanScore(b.runs, preference),
  )
  const contest = today ? contestOf(verdict, today, { rivals: best, least }) : null
  if (!contest || contest.rivals.length === 0) return null
  const assumptions = assumptionsIn(scenario)
  const { mostEvents } = search
  const found = await sensitivityOf(runner, {
    ...{ contest, assumptions, seeds, preference, mostEvents },
    budget: sensitivityEventsIn(budget),
  })
  return { ...found, contest }
}

type Ground = { readonly made: Candidates; readonly axes: readonly TuneAxis[] }

/**
 * Runs the final and looks around the choice. The simplest setting of several that are about as good
 * is advised, so each change of the choice and of the best is tried alone, and a value that makes no
 * difference goes back to today's.
 */
async function decided(final: FinalRuns, ground: Ground): Promise<Pick<Tuned, 'verdict' | 'axes'>> {
  const first = await final.judge()
  if (first.kind !== 'change') {
    return { verdict: first, axes: await lookedAround(first, final, ground) }
  }
  const alone = [first.choice, first.best].flatMap((trial) => loneChanges(trial.candidate, ground))
  const verdict = await final.judge(distinct(alone))
  const axes = await lookedAround(verdict, final, ground)
  const simpler = withoutNeedless(verdict.choice.candidate, axes, ground)
  if (verdict.kind !== 'change' || simpler === null) return { verdict, axes }
  const again = await final.judge([simpler])
  return { verdict: again, axes: await lookedAround(again, final, ground) }
}

/** Returns today's setting with each change of the setting alone. */
function loneChanges({ labels }: Candidate, { made, axes }: Ground): Candidate[] {
  return axes.flatMap(({ name, values }) =>
    labels[name] === made.today.labels[name]
      ? []
      : values
          .filter(({ label }) => label === labels[name])
          .map(({ assignments }) => made.with(assignments)),
  )
}

/** Returns the setting with today's values where they make no difference; null if none do. */
function withoutNeedless(
  candidate: Candidate,
  around: readonly AroundAxis[],
  { made }: Ground,
): Candidate | null {
  const { today } = made
  const needless = around.flatMap(({ axis: { name, values }, same }) => {
    const label = today.labels[name] ?? ''
    const isNeedless = candidate.labels[name] !== label && same.includes(label)
    return isNeedless ? values.filter((each) => each.label === label) : []
  })
  const assignments = new Map(Object.entries(candidate.assignments))
  for (const value of needless) {
    for (const [path, own] of Object.entries(value.assignments)) assignments.set(path, own)
  }
  const simpler = made.with(Object.fromEntries(assignments))
  return simpler.isToday || simpler.key === candidate.key ? null : simpler
}

async function lookedAround(
  verdict: Verdict,
  final: FinalRuns,
  { made, axes }: Ground,
): Promise<AroundAxis[]> {
  const isSettled = ['empty', 'always', 'idle'].includes(verdict.kind)
  const { choice } = verdict
  if (isSettled || choice.runs.length < fewestForInterval) {
    return axes.map((axis) => ({ axis, same: [choice.candidate.labels[axis.name] ?? ''] }))
  }
  const neighbours = axes.map((axis) => made.around(choice.candidate, axis))
  const title = 'one step around the choice'
  await final.add(distinct(neighbours.flat()), title)
  return axes.map((axis, index) => {
    const own = choice.candidate.labels[axis.name] ?? ''
    const others = (neighbours[index] ?? []).filter((candidate) => {
      const trial = final.trialOf(candidate)
      return trial !== null && isNoDifference(trial, choice, final.least)
    })
    const same = new Set([own, ...others.map(({ labels }) => labels[axis.name] ?? '')])
    const known = axis.values.map(({ label }) => label).filter((label) => same.has(label))
    return { axis, same: known.length === 0 ? [own] : known }
  })
}
