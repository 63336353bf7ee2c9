/** Simulates the archetypes, both settings on the same seeds. */

import { overCores } from '../../sim/campaign/over-cores.ts'
import type { TuneFigures } from '../tune/figures/figures.ts'
import type { TuneAnswer, TuneTask } from '../tune/search/tune-worker.ts'
import type { Sampled } from './archetypes.ts'

/** The figures of both settings, in the order of the seeds. */
export type SampledRuns = readonly [readonly TuneFigures[], readonly TuneFigures[]]

/** Runs all seeds of an archetype on all cores. */
export async function sampledRuns(
  { seeds, settings }: Sampled,
  { onSeed, signal }: { readonly onSeed: (seed: number) => void; readonly signal: AbortSignal },
): Promise<SampledRuns> {
  const found: readonly [TuneFigures[], TuneFigures[]] = [[], []]
  let answers = 0
  await overCores<TuneTask, TuneAnswer>({
    worker: { url: new URL('../tune/search/tune-worker.js', import.meta.url), name: 'tuneWorker' },
    tasks: tasksOf(settings, seeds),
    onAnswer: ({ figures }) => {
      if (!figures) throw new Error('a run without a limit was stopped')
      found[answers % 2 === 0 ? 0 : 1].push(figures)
      answers++
      if (answers % 2 === 0) onSeed(answers / 2)
    },
    signal,
  })
  return found
}

function* tasksOf(settings: Sampled['settings'], seeds: number): Generator<TuneTask, void> {
  for (let seed = 1; seed <= seeds; seed++) {
    for (const scenario of settings) {
      yield { scenario, seed, other: null, change: null, mostEvents: null }
    }
  }
}
