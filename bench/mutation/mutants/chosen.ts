/** Chooses the mutants to judge. */

import { partOf, type Shard } from '../../../sim/random/seeds.ts'
import { placeOf, type Mutant } from './mutant.ts'
import { sampleOf } from './sample.ts'

export type Choice = {
  /** Folders, files, or lines such as `engine/rules/merge.ts:12`; empty: all. */
  readonly only: readonly string[]
  /** The size of a random sample; null: all. */
  readonly sample: number | null
  readonly seed: number
  readonly shard: Shard | null
}

/** Returns the mutants of a choice. The shards of a choice have no common mutant. */
export function chosen(
  mutants: readonly Mutant[],
  { only, sample, seed, shard }: Choice,
): readonly Mutant[] {
  const within = mutants.filter(
    (mutant) => only.length === 0 || only.some((path) => isIn(mutant, path)),
  )
  const drawn = sampleOf(within, sample ?? within.length, seed)
  if (!shard) return drawn
  const { from, to } = partOf({ from: 0, to: drawn.length - 1 }, shard)
  return drawn.slice(from, to + 1)
}

/** Returns whether a mutant is in this folder or file, or on this line. */
export function isIn(mutant: Mutant, path: string): boolean {
  const place = placeOf(mutant)
  const folder = path.replace(/\/$/, '')
  return [`${folder}/`, `${folder}:`].some((start) => `${place}:`.startsWith(start))
}
