/** Runs many seeds on all cores. */

import { overCores, type Spread } from './over-cores.ts'
import { BadLines } from '../../server/terminal/bad-input.ts'
import type { SeedRun } from '../judge/seed-run.ts'
import type { SeedAnswer, SeedTask } from './seed-worker.ts'
import type { Source } from '../judge/source.ts'

export type Campaign = {
  readonly source: Source
  /** The seeds, taken one by one as cores become free. They may be endless. */
  readonly seeds: Iterable<number>
  readonly once: boolean
  /** Where the seeds run; the cores of this machine by default. */
  readonly spread?: Spread
  /** Called for every run, in the order of the seeds. */
  readonly onRun: (run: SeedRun) => void
  /** When it is aborted, no more seeds start; started seeds finish. */
  readonly enough?: AbortSignal
  /** When it is aborted, the campaign stops at once. Runs that have finished are reported. */
  readonly signal?: AbortSignal
}

/** Swarm scenarios are small, so a worker gets several at once to save communication. */
const seedsPerTask = { file: 1, swarm: 10 } as const

/** Runs the seeds until none is left or `enough` is aborted. Throws `BadLines` for bad input. */
export async function runCampaign(campaign: Campaign): Promise<void> {
  const { source, seeds, once, onRun, enough, signal, spread = overCores } = campaign
  await spread<SeedTask, SeedAnswer>({
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
