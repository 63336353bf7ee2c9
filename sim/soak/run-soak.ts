/** Runs the seeds of a soak on all cores. */

import { overCores, type Spread } from '../campaign/over-cores.ts'
import { inParts } from '../campaign/run-campaign.ts'
import type { SoakRun } from './soak-seed.ts'
import type { SoakTask } from './soak-worker.ts'

export type Soak = {
  /** The seeds, taken one by one as cores become free. They may be endless. */
  readonly seeds: Iterable<number>
  /** Called with every run, in the order of the seeds. */
  readonly onRun: (run: SoakRun) => void
  /** When aborted, no seed starts any more; started seeds finish. */
  readonly enough?: AbortSignal | undefined
  /** When aborted, the soak stops at once. Finished runs are still reported. */
  readonly signal?: AbortSignal | undefined
  /** Where the seeds run; the cores of this machine by default. */
  readonly spread?: Spread
}

export type RunSoak = (soak: Soak) => Promise<void>

/** Several seeds per task, because a message to a worker for each seed costs too much. */
const seedsPerTask = 10

/** Runs the seeds until none is left or a signal is aborted. Throws the errors of workers. */
export async function runSoak(soak: Soak): Promise<void> {
  const { seeds, onRun, enough, signal, spread = overCores } = soak
  await spread<SoakTask, SoakRun[]>({
    worker: { url: new URL('./soak-worker.js', import.meta.url), name: 'soakWorker' },
    tasks: inParts(seeds, seedsPerTask),
    onAnswer: (runs) => {
      for (const run of runs) onRun(run)
    },
    isEnough: () => enough?.aborted === true,
    signal,
  })
}
