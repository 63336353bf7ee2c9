/** The entry of a worker thread: some seeds per call. */

import { BadInput } from '../scenario/bad-input.ts'
import { runSeed, type SeedRun } from './seed-run.ts'
import type { Source } from './source.ts'

export type SeedTask = {
  readonly source: Source
  readonly seeds: readonly number[]
  readonly once: boolean
}

/** An error does not cross the threads whole: input that cannot be used comes as its lines. */
export type SeedAnswer = { readonly runs: SeedRun[] } | { readonly faults: readonly string[] }

// The pool wants a default export, or a function of this name.
export function seedWorker({ source, seeds, once }: SeedTask): SeedAnswer {
  try {
    return { runs: seeds.map((seed) => runSeed({ source, seed, once })) }
  } catch (error) {
    if (!(error instanceof BadInput)) throw error
    return { faults: error.lines }
  }
}
