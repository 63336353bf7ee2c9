/** Examines how far the advice of a tune run holds. */

import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { meanScore } from '../figures/wishes.ts'
import type { FinalRequest, FinalRuns } from '../final/final-runs.ts'
import type { Verdict } from '../final/verdict.ts'
import { sensitivityEventsIn, type Budget } from '../search/budget.ts'
import type { SettingRunner } from '../search/run-settings.ts'
import { assumptionsIn } from './assumptions.ts'
import { contestOf, type Contest } from './leads.ts'
import { sensitivityOf, type Sensitivity } from './sensitivity.ts'

export type Examination = Sensitivity & { readonly contest: Contest }

type Examined = {
  readonly request: FinalRequest & { readonly scenario: Scenario; readonly budget: Budget }
  readonly runner: SettingRunner
  readonly mostEvents: number
}

/** Runs on the first seeds of the final; null where nothing was decided. */
export async function examined(
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
