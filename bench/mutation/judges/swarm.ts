/**
 * Judges by a share of the swarm, with everything that a seed of a campaign checks: all properties,
 * and for a part of the seeds the relations and the model. Then as many further seeds are compared
 * with the model alone, as `--model` does: what no property says of one event shows there.
 */

import { runSeed } from '../../../sim/judge/seed-run.ts'
import type { Source } from '../../../sim/judge/source.ts'
import type { Judge } from './judge.ts'

const source = { kind: 'swarm', settings: [], features: [] } satisfies Source
/** The model does not know these settings, so it would compare nothing in a seed that has one. */
const settings = ['queue.failedStepAside=false', 'queue.screening=false']
const sources: readonly Source[] = [source, { ...source, settings, only: 'model' }]

export const judge: Judge = (options) => Promise.resolve(firstNoticed(options))

function firstNoticed({ seeds, onProgress }: Parameters<Judge>[0]): string | null {
  for (const [index, each] of sources.entries()) {
    for (let seed = index * seeds + 1; seed <= (index + 1) * seeds; seed++) {
      const [failure] = runSeed({ source: each, seed, once: true }).failures
      onProgress()
      if (failure) return `seed ${seed}: ${failure.name}`
    }
  }
  return null
}
