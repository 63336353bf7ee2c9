/** The rows of a comparison: every strategy at its defaults, and every queue at its best. */

import type { RowToSimulate, CompareTask } from './compare-worker.ts'
import type { StrategyRuns } from './comparison.ts'
import type { ComparedFigures } from '../queues/figures.ts'
import { otherQueue, otherQueueNames, strategies } from '../queues/index.ts'
import type { OtherQueueName } from '../queues/queue.ts'
import { bestSetting } from '../tune/best-setting.ts'
import { type Budget, SettingRunner, TuneInterrupted } from '../tune/runner.ts'
import type { Candidate } from '../tune/candidates.ts'
import { firstSearchSeed } from '../tune/search.ts'
import type { Spreading } from '../../sim/campaign/over-cores.ts'
import { runsBar, under } from '../../sim/cli/progress-bar.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { resampleWeeks } from '../../sim/world/history.ts'
import type { CliContext } from '../../server/terminal/command.ts'

export type ComparedRow = Omit<StrategyRuns, 'runs'> & { readonly row: RowToSimulate }

/** Mergeyard's rows come first, and references last. */
export function rowsOf(best: readonly ComparedRow[]): ComparedRow[] {
  const usual = strategies.map(({ name, isReference }): ComparedRow => ({
    strategy: name,
    setting: null,
    isReference,
    row: { kind: 'strategy', name },
  }))
  const real = usual.filter(({ isReference }) => !isReference)
  const references = usual.filter(({ isReference }) => isReference)
  return [...real, ...best, ...references]
}

export type BestSearch = {
  readonly budget: Budget
  readonly seeds: readonly number[]
  /** The queues to search for; null stands for Mergeyard. */
  readonly queues: readonly (OtherQueueName | null)[]
}

/** Mergeyard and every other queue with settings. */
export const allQueues: BestSearch['queues'] = [null, ...otherQueueNames]

export type SpreadContext = CliContext & { readonly spreading: Spreading }

/**
 * Searches the best setting of each queue, each with the whole budget and on the same seeds. Returns
 * null if the user interrupted it.
 */
export async function bestRows(
  scenario: Scenario,
  search: BestSearch,
  context: SpreadContext,
): Promise<ComparedRow[] | null> {
  try {
    return await searchedRows(scenario, search, context)
  } catch (error) {
    if (error instanceof TuneInterrupted) return null
    throw error
  }
}

async function searchedRows(
  scenario: Scenario,
  { budget, seeds, queues }: BestSearch,
  { stderr, signal, spreading }: SpreadContext,
): Promise<ComparedRow[]> {
  const firstSeed = firstSearchSeed(seeds)
  const rows: ComparedRow[] = []
  for (const queueName of queues) {
    const queue = queueName === null ? null : otherQueue(queueName)
    const name = queueName === null ? 'Mergeyard' : likeNames[queueName]
    const bar = { name: `${name}, at its best`, stderr, signal }
    const runner = new SettingRunner({ ...bar, isFair: true, ...spreading })
    const found = await bestSetting(runner, { scenario, queue, budget, firstSeed })
    rows.push(rowOf(name, found))
  }
  return rows
}

const likeNames = {
  github: 'GitHub-like',
  gitlab: 'GitLab-like',
  mergify: 'Mergify-like',
  bors: 'bors-like',
  zuul: 'Zuul-like',
} as const

function rowOf(name: string, { name: setting, other, scenario }: Candidate): ComparedRow {
  const row: RowToSimulate = other
    ? { kind: 'other', setting: other }
    : { kind: 'own', queue: scenario.queue }
  return { strategy: `${name}, at its best`, setting, isReference: false, row }
}

// Simulates the rows of a comparison, all with the same seeds.

export type Drawn = { readonly scenario: Scenario; readonly seeds: readonly number[] }

/** Simulates every row with every seed. Each seed also draws the weeks of a history, as in `tune`. */
export async function runRows(
  rows: readonly ComparedRow[],
  { scenario, seeds }: Drawn,
  context: SpreadContext,
): Promise<StrategyRuns[]> {
  const found = rows.map(({ row, ...named }) => ({
    row,
    named,
    runs: new Array<ComparedFigures>(),
  }))
  const { name } = scenario
  const total = rows.length * seeds.length
  const { stderr, signal, spreading } = context
  const ofRuns = runsBar(stderr, () => `${name}${spreading.note()}`, total)
  let position = 0
  await under(ofRuns, (bar) =>
    spreading.spread<CompareTask, ComparedFigures>({
      worker: { url: new URL('./compare-worker.js', import.meta.url), name: 'compareWorker' },
      tasks: seeds.flatMap((seed) => {
        const drawn = resampleWeeks(scenario, seed)
        return found.map(({ row }) => ({ row, scenario: drawn }))
      }),
      onAnswer: (figures) => {
        found[position % rows.length]?.runs.push(figures)
        position++
        bar.advance()
      },
      signal,
    }),
  )
  return found.map(({ named, runs }) => ({ ...named, runs }))
}
