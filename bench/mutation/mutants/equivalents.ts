/** Mutants that behave like the engine, so nothing can notice them. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './engine-files.ts'
import { keyOf, type Mutant, type MutantKey } from './mutant.ts'

/** An entry of `equivalents.json`. It names the code and not the line, which other changes shift. */
export type Equivalent = MutantKey & {
  /** Why nothing can notice the mutant. */
  readonly because: string
}

export function readEquivalents(): Equivalent[] {
  const list: Equivalent[] = JSON.parse(
    readFileSync(join(repository, 'bench/mutation/equivalents.json'), 'utf8'),
  )
  return list
}

/** Returns the mutants in two lists: those that must be noticed, and the equivalent ones. */
export function sorted(
  mutants: readonly Mutant[],
  equivalents: readonly Equivalent[],
): { readonly mistakes: Mutant[]; readonly equivalent: Mutant[] } {
  const keys = new Set(equivalents.map(keyOf))
  return {
    mistakes: mutants.filter((mutant) => !keys.has(keyOf(mutant))),
    equivalent: mutants.filter((mutant) => keys.has(keyOf(mutant))),
  }
}

/** Returns the entries that no mutant matches: their code has changed, so judge them again. */
export function outdated(
  mutants: readonly Mutant[],
  equivalents: readonly Equivalent[],
): Equivalent[] {
  const keys = new Set(mutants.map(keyOf))
  return equivalents.filter((each) => !keys.has(keyOf(each)))
}
