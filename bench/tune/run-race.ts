/** Runs a race of settings on all cores. */

import type { Writable } from 'node:stream'
import { overCores } from '../../sim/campaign/over-cores.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { runsBar } from '../../sim/terminal/progress-bar.ts'
import type { Candidate } from './candidates.ts'
import type { Race } from './race.ts'
import type { TuneAnswer } from './tune-worker.ts'

/** A property that a candidate violated with a seed. */
export type Fault = {
  readonly candidate: Candidate
  readonly seed: number
  readonly broken: string
}

export type RaceOptions = {
  /** The name of the scenario, for the progress bar. */
  readonly name: string
  /** Where the progress bar is drawn. */
  readonly stderr: Writable
  /** Ends the race early. The figures recorded before stay in the race. */
  readonly signal: AbortSignal
}

/**
 * Runs the race until it ends, `signal` aborts, or a property is violated. The figures are in the
 * race afterwards. Returns the violations; normally the list is empty.
 */
export async function runRace(race: Race, { name, stderr, signal }: RaceOptions): Promise<Fault[]> {
  const faults: Fault[] = []
  const bar = runsBar(stderr, name, race.expected)
  try {
    await overCores<Scenario, TuneAnswer>({
      worker: { url: new URL('./tune-worker.js', import.meta.url), name: 'tuneWorker' },
      tasks: race.tasks(),
      onAnswer: ({ figures, broken }) => {
        const counted = race.answer(figures)
        if (counted && broken !== null) faults.push({ ...counted, broken })
        bar.expect(race.expected)
        if (counted) bar.advance()
      },
      isEnough: () => faults.length > 0,
      signal,
    })
  } finally {
    bar.stop()
  }
  return faults
}
