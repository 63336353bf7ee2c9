/**
 * Judges by a share of the swarm, with everything that a seed of a campaign checks: all properties,
 * and for a part of the seeds the relations and the model. Then as many further seeds are compared
 * with the model alone, as `--model` does: what no property says of one event shows there. Last, as
 * many seeds of features that depend on each other, as `--with` asks for: by chance they seldom meet.
 */

import { runSeed } from '../../../sim/judge/seed-run.ts'
import type { Source } from '../../../sim/judge/source.ts'
import type { Feature } from '../../../sim/swarm/features.ts'
import type { Judge } from './judge.ts'

const source = { kind: 'swarm', settings: [], features: [] } satisfies Source
/** The model does not know these settings, so it would compare nothing in a seed that has one. */
const settings = ['queue.failedStepAside=false', 'queue.screening=false']
const sources: readonly Source[] = [source, { ...source, settings, only: 'model' }]

const themes: readonly (readonly Feature[])[] = [
  ['batching', 'culprits', 'optimistic merging', 'survivors take along', 'screening'],
  ['batching', 'parallel mode', 'culprits', 'target uploads', 'restarts'],
  ['batching', 'culprits', 'flaky tests', 'conviction by odds', 'lost runs'],
]

export const judge: Judge = (options) => Promise.resolve(firstNoticed(options))

function firstNoticed({ seeds, onProgress }: Parameters<Judge>[0]): string | null {
  for (const { source: each, seed } of seedsOf(seeds)) {
    const [failure] = runSeed({ source: each, seed, once: true }).failures
    onProgress()
    if (failure) return `seed ${seed}: ${failure.name}`
  }
  return null
}

type Seed = { readonly source: Source; readonly seed: number }

function* seedsOf(count: number): Generator<Seed> {
  for (const [index, each] of sources.entries()) {
    for (let nth = 1; nth <= count; nth++) yield { source: each, seed: index * count + nth }
  }
  for (let nth = 0; nth < count; nth++) {
    const features = themes[nth % themes.length] ?? []
    yield { source: { ...source, features }, seed: sources.length * count + nth + 1 }
  }
}
