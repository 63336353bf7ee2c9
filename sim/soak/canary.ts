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
  'split-turns-the-order-round',
  'targets-index-stale',
  'upload-ignored-until-restart',
  'hold-ends-with-a-lost-run',
  'hold-ends-with-a-restart',
  'later-successor-not-awaited',
  'passes-end-no-hold',
  'filling-batch-awaited',
  'hold-has-no-end',
  'end-of-a-hold-slept-through',
  'merges-past-a-failure-aside',
  'never-screens',
  'screened-is-passed',
  'screened-is-forgotten',
  'overtaken-convicts',
  'cache-outlives-a-departure',
  'bisection-wasteful',
  'mended-failure-is-a-flake',
  'restart-in-a-bisection-forgotten',
  'survivors-take-too-many',
  'survivors-take-nobody',
  'survivors-take-while-draining',
  'survivors-keep-waiting-for-a-full-batch',
  'survivors-ride-with-nobody',
  'survivors-wait-for-nobody',
  'survivors-wait-too-long',
  'targets-taken-twice',
  'known-flakes-convict',
  'odds-ignored-in-bisections',
  'odds-without-flakes',
  'green-on-an-older-tip',
  'draining-starts-new-groups',
  'objection-ignored',
  'lowered-priority-ignored',
  'timeout-of-now',
  'paused-in-mid-batch',
  'cancel-waits-for-the-batch',
  'ten-verdicts-remembered',
  'flake-only-if-it-fails-first',
  'difference-from-one-side',
  'difference-from-the-other-side',
  'no-batch-outlives-the-submission',
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
