/** Finds the mutants that the type checker refuses. */

import { threads } from '../../../sim/campaign/worker-pool.ts'
import type { Mutant } from '../mutants/mutant.ts'
import { typedEngine } from './typed-engine.ts'

/** Returns the mutants that do not compile, each with the first error; when aborted, only some. */
export async function refusedByTypes(
  mutants: readonly Mutant[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<Mutant, string>> {
  const refused = new Map<Mutant, string>()
  const left = [...mutants]
  const isOver = (): boolean => signal?.aborted === true
  const checkRest = async (): Promise<void> => {
    const engine = typedEngine()
    try {
      for (let mutant = left.shift(); mutant && !isOver(); mutant = left.shift()) {
        const error = await engine.errorOf(mutant)
        if (error !== null) refused.set(mutant, error)
      }
    } finally {
      engine.remove()
    }
  }
  await Promise.all(Array.from({ length: Math.min(threads, mutants.length) }, checkRest))
  return refused
}
