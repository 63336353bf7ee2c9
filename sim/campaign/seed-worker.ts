/** The entry of a worker thread. Each call runs several seeds. */

import { BadInput } from '../../server/terminal/bad-input.ts'
import { runSeed, type SeedRun } from '../judge/seed-run.ts'
import type { Source } from '../judge/source.ts'

export type SeedTask = {
  readonly source: Source
  readonly seeds: readonly number[]
  readonly once: boolean
}

/** The result of a task. Errors lose their class between threads, so faults are sent as lines. */
export type SeedAnswer = { readonly runs: SeedRun[] } | { readonly faults: readonly string[] }

// The pool calls the function by this name.
export function seedWorker({ source, seeds, once }: SeedTask): SeedAnswer {
  try {
    return { runs: seeds.map((seed) => runSeed({ source, seed, once })) }
  } catch (error) {
    if (!(error instanceof BadInput)) throw error
    return { faults: error.lines }
  }
}
