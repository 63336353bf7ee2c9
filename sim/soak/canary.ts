/**
 * A canary: the soak plants a defect in the engine, and new seeds of the swarm must detect it. If no
 * property detects it, the properties no longer work, and a soak without findings proves nothing.
 */

import type { EngineParts } from '../../engine/index.ts'
import type { Defect } from '../defects/defect.ts'
import { breakages } from '../defects/hunt.ts'
import { defects } from '../defects/index.ts'
import { drawsOf } from '../random/draw.ts'
import { swarmScenario } from '../swarm/swarm.ts'

/**
 * Defects that properties detect in fewer than 10 of the 200 seeds of the scoreboard. Other seeds may
 * miss them for long although the properties work, so they are not planted.
 */
export const rareDefects: ReadonlySet<string> = new Set([
  'attached-host-not-asked',
  'batches-grow-past-half-a-failure',
  'batches-never-grow',
  'bisection-wasteful',
  'cache-outlives-a-departure',
  'cancel-waits-for-the-batch',
  'difference-from-one-side',
  'difference-from-the-other-side',
  'end-of-a-hold-slept-through',
  'filling-batch-awaited',
  'flake-only-if-it-fails-first',
  'green-on-an-older-tip',
  'hold-ends-with-a-lost-run',
  'hold-ends-with-a-restart',
  'hold-has-no-end',
  'host-attached-in-mid-work',
  'known-flakes-convict',
  'later-successor-not-awaited',
  'lowered-priority-ignored',
  'mended-failure-is-a-flake',
  'merges-past-a-failure-aside',
  'never-screens',
  'no-batch-outlives-the-submission',
  'objection-ignored',
  'not-held-though-flaky',
  'odds-ignored-in-bisections',
  'odds-without-flakes',
  'overtaken-convicts',
  'part-of-a-push-lands-all',
  'passes-end-no-hold',
  'paused-in-mid-batch',
  'push-lands-only-the-first',
  'restart-in-a-bisection-forgotten',
  'screened-is-forgotten',
  'screened-is-passed',
  'split-turns-the-order-round',
  'survivors-keep-waiting-for-a-full-batch',
  'survivors-ride-with-nobody',
  'survivors-take-nobody',
  'survivors-take-too-many',
  'survivors-take-while-draining',
  'survivors-wait-for-nobody',
  'survivors-wait-too-long',
  'targets-index-stale',
  'ten-verdicts-remembered',
  'timeout-of-now',
  'upload-ignored-by-who-starts-again',
  'upload-ignored-until-restart',
])

/** At least one run in 20 detects each of these, so 1,000 runs do not miss one by chance. */
export const canaries: readonly Defect[] = defects.filter(({ name }) => !rareDefects.has(name))

const maxRuns = 1000

/** The result of the search for a planted defect. */
export type HuntResult = {
  readonly defect: string
  /** The number of scenarios that were run with the defect. */
  readonly runs: number
  readonly isFound: boolean
}

/** Returns the defect that this seed plants. */
export function plantedBy(seed: number): Defect {
  const defect = canaries[drawsOf(seed).integer('soak choice', 'defect', canaries.length)]
  if (!defect) throw new Error('no defect to plant')
  return defect
}

/**
 * Runs swarm scenarios from this seed on until a property fails that holds without the defect, at
 * most `atMost` scenarios.
 */
export function huntFrom(
  seed: number,
  { name, parts }: { readonly name: string; readonly parts: EngineParts },
  atMost: number = maxRuns,
): HuntResult {
  for (let runs = 1; runs <= atMost; runs++) {
    const scenario = swarmScenario(seed + runs - 1)
    const broken = breakages(scenario, parts)
    if (broken.length === 0) continue
    const alsoWithout = new Set(breakages(scenario).map((failure) => failure.name))
    if (broken.some((failure) => !alsoWithout.has(failure.name))) {
      return { defect: name, runs, isFound: true }
    }
  }
  return { defect: name, runs: atMost, isFound: false }
}
