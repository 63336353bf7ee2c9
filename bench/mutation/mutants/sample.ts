/** A random sample of mutants. */

import { firstSeedOf } from '../../../sim/random/seeds.ts'
import { keyOf, placeOf, type Mutant } from './mutant.ts'

/**
 * Returns `size` mutants. A mutant is drawn by its key, so a change of one file hardly changes the
 * sample of a seed.
 */
export function sampleOf(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  return mutants
    .map((mutant) => ({
      mutant,
      rank: firstSeedOf(`${seed} ${keyOf(mutant)}`),
      place: placeOf(mutant),
    }))
    .sort((a, b) => a.rank - b.rank || (a.place < b.place ? -1 : 1))
    .slice(0, size)
    .map(({ mutant }) => mutant)
}
