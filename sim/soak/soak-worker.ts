/** The entry of a worker thread. Each call runs several seeds. */

import { soakSeed, type SoakRun } from './soak-seed.ts'

export type SoakTask = readonly number[]

// `runSoak` passes the name of this function to the pool.
export function soakWorker(seeds: SoakTask): SoakRun[] {
  return seeds.map((seed) => soakSeed(seed))
}
