/** The kinds of work of a soak. Each kind has a share of the seeds. */

import { drawsOf } from '../random/draw.ts'

export const kinds = ['swarm', 'relations', 'exhaustive', 'defects'] as const
export type Kind = (typeof kinds)[number]

/**
 * The number of seeds of each kind per 100 seeds. A seed costs about the same in the first three
 * kinds. A seed of `defects` takes tens of runs; it shows that the properties still detect defects.
 */
const shares: Readonly<Record<Kind, number>> = {
  swarm: 70,
  relations: 15,
  exhaustive: 14,
  defects: 1,
}

/** Returns the kind of a seed. It depends only on the seed, so machines need no coordination. */
export function kindOf(seed: number): Kind {
  const total = kinds.reduce((sum, kind) => sum + shares[kind], 0)
  let left = drawsOf(seed).integer('soak choice', 'kind', total)
  for (const kind of kinds) {
    if (left < shares[kind]) return kind
    left -= shares[kind]
  }
  return 'swarm'
}
