/**
 * How many of the 95 % intervals hold the truth: means of figures and comparisons of two settings,
 * for every archetype. The truth is the mean of all seeds; small blocks are drawn from them.
 */

import { overCores } from '../../sim/campaign/over-cores.ts'
import { sampledArchetypes } from '../coverage/archetypes.ts'
import type { Coverage, CoverageTask } from '../coverage/coverage-worker.ts'
import {
  coverageLines,
  figuresOf,
  targetsOf,
  type CoverageRow,
} from '../coverage/coverage-table.ts'
import { sampledRuns, type SampledRuns } from '../coverage/sample-archetypes.ts'
import { measured, type Benchmark } from '../measuring/measurement.ts'
import type { FigureName } from '../tune/figures/figures.ts'

/** The seeds of a block. */
const sizes = [10, 15, 20, 40] as const

const blocksOf = { full: 2000, quick: 20 } as const

const names = {
  p95: 'p95',
  p50: 'p50',
  ciMinutes: 'CI minutes',
  evicted: 'evicted',
  unproven: 'unproven',
} as const satisfies Partial<Record<FigureName, string>>

const figureNames = ['p95', 'p50', 'ciMinutes', 'evicted', 'unproven'] as const

export const coverage: Benchmark = {
  name: 'coverage',
  title: 'the share of 95 % intervals that hold the mean of all seeds',
  async measure({ isQuick, progress, signal }) {
    const blocks = isQuick ? blocksOf.quick : blocksOf.full
    const rows: CoverageRow[] = []
    const always: string[] = []
    for (const archetype of sampledArchetypes(isQuick)) {
      const { name, seeds } = archetype
      const onSeed = (seed: number): void => progress(`${name}, seed ${seed} of ${seeds}`)
      const runs = await sampledRuns(archetype, { onSeed, signal })
      if (signal.aborted) break
      progress(`${name}, intervals`)
      const series = seriesOf(name, runs)
      always.push(...series.filter(isAlways).map(({ figure }) => `${name}, ${figure}`))
      rows.push(
        ...(await coveredRows(
          series.filter((each) => !isAlways(each)),
          blocks,
          signal,
        )),
      )
    }
    if (signal.aborted) return measured({})
    return measured({
      figures: figuresOf(rows),
      targets: targetsOf(rows, sizes),
      notes: [
        ...coverageLines(rows, sizes),
        'in percent; in brackets those that lie below the truth and those above',
        ...(always.length === 0
          ? []
          : [`always the same, so not counted: ${[...new Set(always)].join('; ')}`]),
      ],
    })
  },
}

type Series = Omit<CoverageRow, 'coverage'> & Pick<CoverageTask, 'values' | 'others' | 'isCount'>

/** Each figure as a mean, and as a comparison with the other setting. */
function seriesOf(archetype: string, [runs, others]: SampledRuns): Series[] {
  return figureNames.flatMap((figure) => {
    const values = runs.map((run) => run[figure])
    const compared = others.map((run) => run[figure])
    const isCount = figure === 'evicted' || figure === 'unproven'
    const name = { archetype, figure: names[figure], isCount }
    return [
      { ...name, isComparison: false, values, others: null },
      { ...name, isComparison: true, values, others: compared },
    ]
  })
}

function isAlways({ values, others }: Series): boolean {
  const pairs = values.map((value, index) => `${value} ${others?.[index] ?? ''}`)
  return new Set(pairs).size === 1
}

async function coveredRows(
  series: readonly Series[],
  blocks: number,
  signal: AbortSignal,
): Promise<CoverageRow[]> {
  const found: Coverage[] = []
  await overCores<CoverageTask, Coverage>({
    worker: {
      url: new URL('../coverage/coverage-worker.js', import.meta.url),
      name: 'coverageWorker',
    },
    tasks: series.flatMap(({ values, others, isCount }) =>
      sizes.map((seedsOfBlock) => ({ values, others, isCount, seedsOfBlock, blocks })),
    ),
    onAnswer: (answer) => void found.push(answer),
    signal,
  })
  return series.map(({ archetype, figure, isComparison }, index) => ({
    ...{ archetype, figure, isComparison },
    coverage: found.slice(index * sizes.length, (index + 1) * sizes.length),
  }))
}
