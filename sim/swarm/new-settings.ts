/** Changes of the queue settings during a swarm scenario. */

import type { ScenarioEvent } from '../scenario/scenario.ts'
import {
  someBatchSizes,
  someBisectionSlots,
  someConcurrency,
  someDepths,
  someTimeouts,
  someWaits,
} from './queue.ts'
import type { ScenarioDraft } from './scenario-draft.ts'

type NewSettings = Extract<ScenarioEvent, { do: 'updateQueue' }>['set']

/** Returns one change of settings. `nth` is part of the draw keys, so it must differ by change. */
export function newSettings({ dice }: ScenarioDraft, nth: number | string): NewSettings {
  const settings: readonly [NewSettings, ...NewSettings[]] = [
    { concurrency: dice.pick(`new concurrency ${nth}`, someConcurrency) },
    { bisectionConcurrency: dice.pick(`new bisection slots ${nth}`, someBisectionSlots) },
    { batch: true, batchingMinSize: dice.pick(`new batch size ${nth}`, someBatchSizes) },
    { batch: false },
    { batchingMaxWaitTimeMinutes: dice.pick(`new wait ${nth}`, someWaits) },
    { pendingFailureDepth: dice.pick(`new depth ${nth}`, [0, ...someDepths]) },
    { canOptimisticallyMerge: dice.chance(`optimistic from now ${nth}`, 0.5) },
    { testingTimeoutMinutes: dice.pick(`new timeout ${nth}`, someTimeouts) },
    { policy: dice.pick(`policy from now ${nth}`, ['documented', 'adaptive']) },
    { directMergeMode: dice.pick(`direct from now ${nth}`, ['off', 'always']) },
  ]
  return dice.pick(`new setting ${nth}`, settings)
}
