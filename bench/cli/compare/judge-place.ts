/** Compares the proposed setting with all other queues in one place. */

import { seedsIn } from '../../../sim/random/seeds.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { judgedOf } from '../../goals/judged.ts'
import { proposed, proposedName } from '../../goals/proposed.ts'
import type { JudgedPlace } from '../../goals/standing.ts'
import { otherQueueNames } from '../../queues/index.ts'
import type { StrategyRuns } from '../../strategies/comparison.ts'
import { withEqualSlots } from '../../strategies/equal-slots.ts'
import { fairScenario } from '../../strategies/fair-scenario.ts'
import { clairvoyantName, ownName } from '../../strategies/index.ts'
import { withLengths, type LengthModel } from '../../strategies/length-models.ts'
import { defaultResubmit } from '../../strategies/resubmission.ts'
import { TuneInterrupted } from '../../tune/search/run-settings.ts'
import type { EverywhereOptions } from './everywhere-usage.ts'
import { bestRows, rowsOf, type ComparedRow } from './rows.ts'
import { runRows, type SpreadContext } from './run-rows.ts'

export type Wanted = { readonly scenario: Scenario; readonly lengths: LengthModel }

/** Returns null if the user interrupted it. */
export async function judgedPlace(
  wanted: Wanted,
  options: EverywhereOptions,
  context: SpreadContext,
): Promise<JudgedPlace | null> {
  const { lengths } = wanted
  const resubmit = wanted.scenario.resubmit ?? defaultResubmit
  const scenario = withLengths(fairScenario({ ...wanted.scenario, resubmit }).scenario, lengths)
  const seeds = [...seedsIn(options.seeds)]
  const best = await bestOrNull(scenario, { ...options, seeds }, context)
  if (!best) return null
  const others = rowsOf(best).filter(({ strategy }) => strategy !== ownName)
  const rows = [ownRow(scenario), ...others]
  const figures = await runRows(rows, { scenario, seeds }, context)
  if (context.signal.aborted) return null
  const all = rows.map((row, index): StrategyRuns => ({ ...row, runs: figures[index] ?? [] }))
  const [own] = all
  const clairvoyant = all.find(({ strategy }) => strategy === clairvoyantName)
  if (!own || !clairvoyant) throw new Error('the comparison has no such row')
  return {
    ...{ scenario: scenario.name, lengths },
    best: best.map(({ strategy, setting }) => ({ strategy, setting: setting ?? '' })),
    judged: judgedOf({
      ...{ own, clairvoyant },
      others: all.slice(1).filter(({ isReference }) => !isReference),
    }),
  }
}

/** The proposed setting in as many slots as every other queue has. */
function ownRow(scenario: Scenario): ComparedRow {
  const changed = { ...scenario, queue: { ...scenario.queue, ...proposed } }
  const { queue } = withEqualSlots(changed)
  return {
    ...{ strategy: proposedName, setting: null, isReference: false },
    row: { kind: 'setting', other: null, queue },
  }
}

type Search = Pick<EverywhereOptions, 'budget'> & { readonly seeds: readonly number[] }

async function bestOrNull(
  scenario: Scenario,
  { budget, seeds }: Search,
  context: SpreadContext,
): Promise<ComparedRow[] | null> {
  try {
    return await bestRows(scenario, { budget, seeds, queues: otherQueueNames }, context)
  } catch (error) {
    if (error instanceof TuneInterrupted) return null
    throw error
  }
}
