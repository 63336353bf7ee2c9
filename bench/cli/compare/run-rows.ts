/** Simulates the rows of a comparison, all with the same seeds. */

import type { Spreading } from '../../../sim/campaign/over-cores.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import type { CliContext } from '../../../terminal/command.ts'
import { runsBar } from '../../../sim/cli/progress-bar.ts'
import { resampleWeeks } from '../../../sim/world/resample-weeks.ts'
import type { ComparedFigures } from '../../queues/figures.ts'
import type { CompareTask } from './compare-worker.ts'
import type { ComparedRow } from './rows.ts'

export type SpreadContext = CliContext & { readonly spreading: Spreading }

export type Drawn = { readonly scenario: Scenario; readonly seeds: readonly number[] }

/**
 * Simulates every row with every seed. Returns the figures by the index of the row. Each seed also
 * draws the weeks of a history, as in `tune`.
 */
export async function runRows(
  rows: readonly ComparedRow[],
  { scenario, seeds }: Drawn,
  context: SpreadContext,
): Promise<ComparedFigures[][]> {
  const runs: ComparedFigures[][] = rows.map(() => [])
  const { name } = scenario
  const total = rows.length * seeds.length
  const bar = runsBar(context.stderr, () => `${name}${context.spreading.note()}`, total)
  let position = 0
  await context.spreading.spread<CompareTask, ComparedFigures>({
    worker: {
      url: new URL('./compare-worker.js', import.meta.url),
      name: 'compareWorker',
    },
    tasks: seeds.flatMap((seed) => {
      const drawn = resampleWeeks(scenario, seed)
      return rows.map(({ row }) => ({ row, scenario: drawn }))
    }),
    onAnswer: (figures) => {
      runs[position % rows.length]?.push(figures)
      position++
      bar.advance()
    },
    signal: context.signal,
  })
  bar.stop()
  return runs
}
