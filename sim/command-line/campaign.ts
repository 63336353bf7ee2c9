/** Many seeds, spread over the cores. */

import { overCores } from './over-cores.ts'
import { BadLines } from './sources.ts'
import type { SeedRun } from './seed-run.ts'
import type { SeedAnswer, SeedTask } from './seed-worker.ts'
import type { Source } from './source.ts'

export type Campaign = {
  readonly source: Source
  /** Taken one after another as cores become free; there may be no end of them. */
  readonly seeds: Iterable<number>
  readonly once: boolean
  /** Hears of every run in the order of the seeds, whichever core was faster. */
  readonly onRun: (run: SeedRun) => void
  /** No more seeds are taken from then on; those under way are finished. */
  readonly enough?: AbortSignal
  /** Breaks off at once; what is finished by then has been heard of. */
  readonly signal?: AbortSignal
}

/** Scenarios of the swarm are small: one by one, the way to the worker would cost too much. */
const seedsPerTask = { file: 1, swarm: 10 } as const

/** Runs the seeds until there are none left, or it is enough. */
export async function runCampaign(campaign: Campaign): Promise<void> {
  const { source, seeds, once, onRun, enough, signal } = campaign
  await overCores<SeedTask, SeedAnswer>({
    worker: { url: new URL('./seed-worker.js', import.meta.url), name: 'seedWorker' },
    tasks: tasksOf(seeds, source, once),
    onAnswer: (answer) => {
      if ('faults' in answer) throw new BadLines(answer.faults)
      for (const run of answer.runs) onRun(run)
    },
    isEnough: () => enough?.aborted === true,
    signal,
  })
}

function* tasksOf(seeds: Iterable<number>, source: Source, once: boolean): Generator<SeedTask> {
  for (const part of inParts(seeds, seedsPerTask[source.kind])) yield { source, seeds: part, once }
}

function* inParts(seeds: Iterable<number>, size: number): Generator<number[], undefined> {
  let part: number[] = []
  for (const seed of seeds) {
    part.push(seed)
    if (part.length < size) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
  return undefined
}
