/**
 * Judges by a share of the swarm, with everything that a seed of a campaign checks: all properties,
 * and for a part of the seeds the relations.
 */

import { runSeed } from '../../../sim/judge/seed-run.ts'
import type { Source } from '../../../sim/judge/source.ts'
import type { Judge } from './judge.ts'

const source: Source = { kind: 'swarm', settings: [], features: [] }

export const judge: Judge = (options) => Promise.resolve(firstNoticed(options))

function firstNoticed({ seeds, onProgress }: Parameters<Judge>[0]): string | null {
  for (let seed = 1; seed <= seeds; seed++) {
    const [failure] = runSeed({ source, seed, once: true }).failures
    onProgress()
    if (failure) return `seed ${seed}: ${failure.name}`
  }
  return null
}
