/** A whole tune run: the search, the final on other seeds, and what each axis does to the choice. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { isNoDifference } from './final/around.ts'
import { fewestForInterval } from '../statistics/interval.ts'
import { FinalRuns, type FinalRequest } from './final/final-runs.ts'
import type { Verdict } from './final/verdict.ts'
import type { Budget } from './search/budget.ts'
import { searched, type Search } from './search/halving.ts'
import type { SettingRunner, Trial } from './search/run-settings.ts'
import { wishesOf } from './figures/wishes.ts'
import type { TuneAxis } from './settings/axes.ts'
import {
  Candidates,
  distinct,
  type Candidate,
  type CandidateSource,
} from './settings/candidates.ts'
import { candidatesOf, combinations } from './settings/nearest.ts'
import { bisectionLadder, laddersOf } from './settings/ladders.ts'
import { OtherCandidates, otherLadders } from './settings/other-candidates.ts'
import type { OtherQueue } from '../queues/queue.ts'
import type { Values } from '../queues/parameters.ts'
import { isAllowed, type UnprovenKind } from './settings/unproven.ts'

export type TuneRequest = FinalRequest & {
  readonly scenario: Scenario
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
  readonly runs: number
  readonly events: number
}

/** The seeds of the search are far from those that a command names. */
const firstSearchSeed = 1_000_001

export async function tuned(request: TuneRequest, runner: SettingRunner): Promise<Tuned> {
  const { scenario, seeds, budget, preference } = request
  const { searchAxes, bisection, axes, made } = spaceOf(request)
  const isFine = (candidate: Candidate): boolean => isAllowed(candidate, request.allowed)
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
  return {
    request,
    search,
    combinations: combinations(searchAxes).length,
    ...found,
    final: final.trials,
    rivals: final.rivals,
    runs: runner.runs,
    events: runner.events,
  }
}

type Space = {
  readonly searchAxes: readonly TuneAxis[]
  /** An axis that only the last rung tries; null for none. */
  readonly bisection: TuneAxis | null
  /** All of them. */
  readonly axes: readonly TuneAxis[]
  readonly made: CandidateSource
}

/** What the command asks to search. */
function spaceOf({ scenario, other, axes: named, fixed }: TuneRequest): Space {
  const isFree = ({ values }: TuneAxis): boolean =>
    values.every(({ assignments }) => Object.keys(assignments).every((path) => !fixed.has(path)))
  if (other) {
    const ladders = named ?? otherLadders(other.queue, scenario, other.values)
    const axes = ladders.filter(isFree)
    const made = new OtherCandidates(other.queue, scenario, other.values, axes)
    return { searchAxes: axes, bisection: null, axes, made }
  }
  const searchAxes = (named ?? laddersOf(scenario)).filter(isFree)
  const [bisection = null] = named ? [] : [bisectionLadder(scenario)].filter(isFree)
  const axes = bisection ? [...searchAxes, bisection] : searchAxes
  return { searchAxes, bisection, axes, made: new Candidates(scenario, axes) }
}

type Ground = { readonly made: CandidateSource; readonly axes: readonly TuneAxis[] }

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
