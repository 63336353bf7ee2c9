/**
 * The teams on which the levers are tried, each with two settings. `storm-then-calm` and
 * `synchronised-burst` are left out: of 40 and 15 pull requests p95 tells about one or two.
 */

import { fileURLToPath } from 'node:url'
import { loadScenario } from '../../sim/scenario/load.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { Queue } from './levers.ts'

export const archetypeNames = [
  'startup-monorepo',
  'midsize-monolith',
  'release-freeze',
  'sticky-failures',
  'flaky-storm',
  'small-team',
  'monorepo-with-hubs',
  'slow-ci-with-roll-ups',
  'hotfix',
] as const

type ArchetypeName = (typeof archetypeNames)[number]

/** Loads the scenario of an archetype. */
export function archetypeNamed(name: ArchetypeName): Scenario {
  return loadScenario(fileURLToPath(new URL(`../../../scenarios/${name}.json`, import.meta.url)))
}

/** Where an author submits an evicted healthy pull request again, as in `compare`. */
const resubmit = { afterMinutes: 15 }

const settings: readonly { readonly name: string; readonly set: Queue }[] = [
  { name: 'as in the file', set: {} },
  {
    name: 'optimistic, batches of 2',
    set: {
      canOptimisticallyMerge: true,
      pendingFailureDepth: 0,
      batch: true,
      batchingMinSize: 2,
      batchingMaxWaitTimeMinutes: 5,
    },
  },
]

export type Tried = {
  readonly archetype: string
  readonly setting: string
  readonly scenario: Scenario
}

/** Returns the queues without levers; for a smoke run those of one archetype, and short. */
export function triedQueues(isQuick: boolean): Tried[] {
  return (isQuick ? archetypeNames.slice(0, 1) : archetypeNames).flatMap((archetype) => {
    const whole = archetypeNamed(archetype)
    const short = isQuick && whole.traffic ? { traffic: { ...whole.traffic, count: 20 } } : {}
    const scenario = { ...whole, ...short, resubmit }
    return settings.map(({ name, set }) => ({
      archetype,
      setting: name,
      scenario: { ...scenario, queue: { ...scenario.queue, ...set } },
    }))
  })
}
