/** The entry of a worker thread. Each call runs several seeds. */

import { soakSeed, type SoakRun } from './soak-seed.ts'

export type SoakTask = {
  readonly seeds: readonly number[]
  /** The signatures of steps that the rounds before have seen. */
  readonly known: readonly string[]
}

// `runSoak` passes the name of this function to the pool.
export function soakWorker({ seeds, known }: SoakTask): SoakRun[] {
  const seen = new Set(known)
  return seeds.map((seed) => soakSeed(seed, { known: seen }))
}
