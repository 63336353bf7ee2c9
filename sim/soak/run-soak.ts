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

/**
 * The seeds of a round know the steps that the rounds before it have seen, and no others: so the same seeds fork
 * at the same steps on any number of cores. The first seeds show most, so rounds double from the first on.
 */
const tasksPerRound = { first: 2, most: 20 } as const

/** Runs the seeds until none is left or a signal is aborted. Throws the errors of workers. */
export async function runSoak(soak: Soak): Promise<void> {
  const { seeds, onRun, enough, signal, spread = overCores } = soak
  const seen = new Set<string>()
  const onAnswer = (runs: readonly SoakRun[]): void => {
    for (const run of runs) {
      for (const step of run.seen?.steps ?? []) seen.add(step)
      onRun(run)
    }
  }
  const worker = { url: new URL('./soak-worker.js', import.meta.url), name: 'soakWorker' }
  const isEnough = (): boolean => enough?.aborted === true
  for (const round of roundsOf(inParts(seeds, seedsPerTask))) {
    if (isEnough() || signal?.aborted === true) return
    const known = [...seen]
    const tasks = round.map((part): SoakTask => ({ seeds: part, known }))
    await spread<SoakTask, SoakRun[]>({ worker, tasks, onAnswer, isEnough, signal })
  }
}

function* roundsOf<Part>(parts: Iterable<Part>): Generator<Part[], undefined> {
  let round: Part[] = []
  let size: number = tasksPerRound.first
  for (const part of parts) {
    round.push(part)
    if (round.length < size) continue
    yield round
    round = []
    size = Math.min(2 * size, tasksPerRound.most)
  }
  if (round.length > 0) yield round
  return undefined
}
