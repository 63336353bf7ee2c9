/**
 * Judges by a share of the swarm, with everything that a seed of a campaign checks: all properties,
 * and for a part of the seeds the relations and the model. Then as many further seeds are compared
 * with the model alone, as `--model` does: what no property says of one event shows there. Last, as
 * many seeds of features that depend on each other, as `--with` asks for: by chance they seldom meet.
 *
 * A mutant that is said to be equivalent must also give the same events in every seed: a choice that no
 * property forbids shows only there.
 */

import { runSeed } from '../../../sim/judge/seed-run.ts'
import { scenarioOf, type Source } from '../../../sim/judge/source.ts'
import { simulate } from '../../../sim/run/simulate.ts'
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

function firstNoticed({ seeds, traces, onProgress }: Parameters<Judge>[0]): string | null {
  let nth = 0
  for (const { source: each, seed } of seedsOf(seeds)) {
    const { failures, traceHash } = runSeed({ source: each, seed, once: true })
    const [failure] = failures
    onProgress()
    if (failure) return `seed ${seed}: ${failure.name}`
    if (traces && traceHash !== traces[nth]) return `seed ${seed}: other events`
    nth++
  }
  return null
}

/** Returns the hashes of the events of the seeds that this judge runs, for the engine as it is loaded. */
export function tracesOf(seeds: number): string[] {
  return Array.from(seedsOf(seeds), ({ source: each, seed }) => {
    return simulate(scenarioOf(each, seed)).traceHash
  })
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
