/** The options and the help text of `mergeyard compare everywhere`. */

import type { SeedRange, Shard } from '../../../sim/random/seeds.ts'
import type { OptionTable, Usage } from '../../../sim/terminal/option-table.ts'
import type { ParsedOptions } from '../../../sim/terminal/parse-options.ts'
import { seedRange, shardOf } from '../../../sim/terminal/read-values.ts'
import { allLengthModels, isLengthModel, type LengthModel } from '../../strategies/length-models.ts'
import { readBudget, type Budget } from '../../tune/search/budget.ts'
import { spreadTable } from '../parts/spread-over.ts'

const table = {
  seeds: { kind: 'value', value: 'n | a..b', help: 'run seeds 1..n, or a..b', default: '60' },
  lengths: {
    kind: 'value',
    value: 'model',
    help: 'length of runs: run, constant, composition, scenario; or all for the first three',
    default: 'all',
  },
  best: {
    kind: 'value',
    value: 'budget',
    help: 'find the best setting of every other queue with this budget each, as in tune',
    default: '10s',
  },
  traces: {
    kind: 'value',
    value: 'folder',
    help: 'also the histories of builds in this folder (CSV), at 5 and 20 times their pace',
  },
  only: { kind: 'list', value: 'name', help: 'compare only in this place; repeatable' },
  ...spreadTable,
  shard: { kind: 'value', value: 'i/n', help: 'make only every n-th comparison, from the i-th' },
  report: { kind: 'value', value: 'folder', help: 'report folder (default: reports/everywhere)' },
} as const satisfies OptionTable

export const everywhereUsage: Usage<typeof table> = {
  command: 'compare everywhere',
  npm: 'npm run compare -- everywhere',
  about: `Compare the one setting that Mergeyard proposes with every other queue, at its defaults and at its
best, for every archetype, every history and every model of run length. Prints in how many figures another
queue is surely better, and how near the setting comes to the batching clairvoyant.

Each comparison is written to the report folder as soon as it is done. The same command goes on from there:
what the same build has compared with the same options is read. Parts of --shard belong in one folder.

To compare a scenario file with the name everywhere, write ./everywhere.`,
  table,
}

export type EverywhereOptions = {
  readonly seeds: SeedRange
  readonly models: readonly LengthModel[]
  readonly budget: Budget
  readonly traces: string | null
  /** Names of places; empty means all. */
  readonly only: readonly string[]
  readonly shard: Shard
}

/** Converts the parsed options. Throws `BadInput` for an invalid value. */
export function everywhereOptionsOf(parsed: ParsedOptions<typeof table>): EverywhereOptions {
  const { text, value, list, fault } = parsed
  const shard = text('shard')
  return {
    seeds: seedRange(value('seeds'), (expected) => fault('seeds', expected)),
    models: modelsOf(value('lengths'), (expected) => fault('lengths', expected)),
    budget: budgetOf(value('best'), (expected) => fault('best', expected)),
    traces: text('traces'),
    only: list('only'),
    shard:
      shard === null ? { index: 1, of: 1 } : shardOf(shard, (expected) => fault('shard', expected)),
  }
}

type FaultOf = (expected: string) => Error

function modelsOf(text: string, faultOf: FaultOf): readonly LengthModel[] {
  if (text === 'all') return allLengthModels
  if (isLengthModel(text)) return [text]
  throw faultOf('run, constant, composition, scenario or all')
}

function budgetOf(text: string, faultOf: FaultOf): Budget {
  const budget = readBudget(text)
  if (budget) return budget
  throw faultOf('a time such as 90s, 2m or 1h')
}
