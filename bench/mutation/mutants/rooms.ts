/** The rooms of the engine, as folders. */

import type { Mutant } from './mutant.ts'

export const roomOf = ({ file }: Pick<Mutant, 'file'>): string =>
  file.split('/').slice(0, 2).join('/')

/**
 * Rooms that no simulated run uses, because a simulated queue lives in memory: they read files that a
 * server wrote, and word the faults of documents. So scenarios and swarm cannot notice their mutants.
 */
export const roomsNotSimulated: ReadonlySet<string> = new Set([
  'engine/recording',
  'engine/documents',
])

/** Whether the code of the mutant can run in a simulated run. */
export const isSimulated = (mutant: Pick<Mutant, 'file'>): boolean =>
  !roomsNotSimulated.has(roomOf(mutant))
