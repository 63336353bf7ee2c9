/** Settings of the queue that are changed on the way. */

import type { ScenarioEvent } from '../scenario/scenario.ts'
import {
  someBatchSizes,
  someBisectionSlots,
  someConcurrency,
  someDepths,
  someWaits,
} from './queue.ts'
import type { Sketch } from './sketch.ts'

type Settings = Extract<ScenarioEvent, { do: 'updateQueue' }>['set']

/** `nth` tells one change from another. */
export function newSettings({ dice }: Sketch, nth: number | string): Settings {
  const settings: readonly [Settings, ...Settings[]] = [
    { concurrency: dice.pick(`new concurrency ${nth}`, someConcurrency) },
    { bisectionConcurrency: dice.pick(`new bisection slots ${nth}`, someBisectionSlots) },
    { batch: true, batchingMinSize: dice.pick(`new batch size ${nth}`, someBatchSizes) },
    { batch: false },
    { batchingMaxWaitTimeMinutes: dice.pick(`new wait ${nth}`, someWaits) },
    { pendingFailureDepth: dice.pick(`new depth ${nth}`, [0, ...someDepths]) },
    { canOptimisticallyMerge: dice.chance(`optimistic from now ${nth}`, 0.5) },
    { directMergeMode: dice.pick(`direct from now ${nth}`, ['off', 'always']) },
  ]
  return dice.pick(`new setting ${nth}`, settings)
}
