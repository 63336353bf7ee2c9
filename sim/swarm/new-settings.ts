/** Changes of the queue settings during a swarm scenario. */

import type { ScenarioEvent } from '../scenario/scenario.ts'
import { valueOf } from './queue.ts'
import type { ScenarioDraft } from './scenario-draft.ts'

type NewSettings = Extract<ScenarioEvent, { do: 'updateQueue' }>['set']

/** Returns one change of settings. `nth` is part of the draw keys, so it must differ by change. */
export function newSettings(draft: ScenarioDraft, nth: number | string): NewSettings {
  const { dice } = draft
  const depth = dice.chance(`no depth from now ${nth}`, 0.2)
    ? 0
    : valueOf(draft, 'depth', `new depth ${nth}`)
  const settings: readonly [NewSettings, ...NewSettings[]] = [
    { concurrency: valueOf(draft, 'concurrency', `new concurrency ${nth}`) },
    {
      bisectionConcurrency: valueOf(draft, 'bisection concurrency', `new bisection slots ${nth}`),
    },
    { batch: true, batchingMinSize: valueOf(draft, 'batch size', `new batch size ${nth}`) },
    { batch: false },
    { batchingMaxWaitTimeMinutes: valueOf(draft, 'batch wait', `new wait ${nth}`) },
    { pendingFailureDepth: depth },
    { canOptimisticallyMerge: dice.chance(`optimistic from now ${nth}`, 0.5) },
    { testingTimeoutMinutes: valueOf(draft, 'timeout', `new timeout ${nth}`) },
    { policy: dice.pick(`policy from now ${nth}`, ['documented', 'adaptive']) },
    { directMergeMode: dice.pick(`direct from now ${nth}`, ['off', 'always']) },
  ]
  return dice.pick(`new setting ${nth}`, settings)
}
