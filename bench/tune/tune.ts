/** A whole tune run: the search, the final on other seeds, and what each axis does to the choice. */

import { FinalRuns, type FinalRequest } from './final/final-runs.ts'
import { decided, type AroundAxis, type Decided } from './final/decide.ts'
import { holdsIn, inStretches, type StretchResult } from './final/stretches.ts'
import type { Verdict } from './final/verdict.ts'
import { hasFineSteps, type Budget } from './search/budget.ts'
import { searched, type Search } from './search/halving.ts'
import type { SettingRunner, Trial } from './search/run-settings.ts'
import { wishesOf } from './figures/wishes.ts'
import { examined, type Examination } from './sensitivity/examined.ts'
import type { Candidate } from './settings/candidates.ts'
import { spaceOf, withFound, type SpaceRequest } from './settings/space.ts'
import { candidatesOf, combinations } from './settings/nearest.ts'
import { isAllowed, type UnprovenKind } from './settings/unproven.ts'

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
