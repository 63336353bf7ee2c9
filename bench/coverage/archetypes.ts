/**
 * The teams whose figures the coverage benchmark samples, each with a second setting. Scenarios that
 * only collect faults, such as `parallel-storm`, are no teams: nobody tunes a queue for them.
 */

import { fileURLToPath } from 'node:url'
import { loadScenario } from '../../sim/scenario/load.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'

type Queue = NonNullable<Scenario['queue']>

type Archetype = {
  /** A scenario file. */
  readonly name: string
  /** As many as keep the whole benchmark within a few minutes. */
  readonly seeds: number
  /** The setting that is compared with the one of the file. */
  readonly other: Queue
}

const optimistic: Queue = { canOptimisticallyMerge: true }
const notOptimistic: Queue = { canOptimisticallyMerge: false }

const archetypes: readonly Archetype[] = [
  { name: 'startup-monorepo', seeds: 500, other: optimistic },
  { name: 'flaky-storm', seeds: 400, other: notOptimistic },
  { name: 'small-team', seeds: 1000, other: { batch: true, batchingMinSize: 2 } },
  { name: 'synchronised-burst', seeds: 2000, other: { batchingMinSize: 8 } },
  { name: 'midsize-monolith', seeds: 400, other: notOptimistic },
  { name: 'slow-ci-with-roll-ups', seeds: 800, other: { batchingMinSize: 4 } },
  { name: 'sticky-failures', seeds: 400, other: optimistic },
  { name: 'monorepo-with-hubs', seeds: 400, other: optimistic },
  { name: 'hotfix', seeds: 300, other: optimistic },
]

export type Sampled = {
  readonly name: string
  readonly seeds: number
  /** The setting of the file, and the other one. */
  readonly settings: readonly [Scenario, Scenario]
}

/** Returns the archetypes; for a smoke run one of them, short and with few seeds. */
export function sampledArchetypes(isQuick: boolean): Sampled[] {
  const folder = new URL('../../../scenarios/', import.meta.url)
  const chosen = isQuick ? archetypes.slice(2, 3) : archetypes
  return chosen.map(({ name, seeds, other }) => {
    const whole = loadScenario(fileURLToPath(new URL(`${name}.json`, folder)))
    const short = isQuick && whole.traffic ? { traffic: { ...whole.traffic, count: 20 } } : {}
    const scenario = { ...whole, ...short }
    const changed = { ...scenario, queue: { ...scenario.queue, ...other } }
    return { name, seeds: isQuick ? 12 : seeds, settings: [scenario, changed] }
  })
}
