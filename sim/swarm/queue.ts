/** The queue settings and the length of runs of a swarm scenario. */

import type { Scenario, Suite } from '../scenario/scenario.ts'
import type { ScenarioDraft } from './scenario-draft.ts'

type ScenarioQueue = NonNullable<Scenario['queue']>

export const someConcurrency = [1, 1, 2, 2, 3, 4, 6, 20] as const
export const someBatchSizes = [1, 2, 2, 3, 4, 4, 6, 8, 16] as const
export const someWaits = [0, 0, 2, 5, 5, 30] as const
export const someDepths = [1, 1, 2, 3] as const
/** Around the typical length of a run, which is 10 minutes. */
export const someTimeouts = [6, 10, 14, 45] as const
export const someBisectionSlots = [1, 1, 2, 3, 8] as const

export function queueOf({ dice, has }: ScenarioDraft): ScenarioQueue {
  const batching: ScenarioQueue = {
    batch: true,
    batchingMinSize: dice.pick('batch size', someBatchSizes),
    batchingMaxWaitTimeMinutes: dice.pick('batch wait', someWaits),
  }
  return {
    ...(has('parallel mode') ? { mode: 'parallel' } : {}),
    concurrency: dice.pick('concurrency', someConcurrency),
    ...(has('bisection slots')
      ? { bisectionConcurrency: dice.pick('bisection concurrency', someBisectionSlots) }
      : {}),
    ...(has('batching') ? batching : {}),
    ...(has('depth') ? { pendingFailureDepth: dice.pick('depth', someDepths) } : {}),
    ...(has('optimistic merging') ? { canOptimisticallyMerge: true } : {}),
    ...(has('adaptive policy') ? { policy: 'adaptive' } : {}),
    ...(has('tip tests') ? { tipTestMode: 'always' } : {}),
    ...(has('direct merges') ? { directMergeMode: 'always' } : {}),
    ...(has('short timeout') || has('hung runs')
      ? { testingTimeoutMinutes: has('short timeout') ? 14 : 45 }
      : {}),
    ...(has('idle at first') ? { state: dice.pick('first state', ['PAUSED', 'DRAINING']) } : {}),
  }
}

export function suiteOf(draft: ScenarioDraft): Suite {
  const { dice, has } = draft
  const failing = dice.pick('length of failing runs', [0.3, 1.5, { uniform: [1, 9] }] as const)
  const startDelay = { minutes: { uniform: [0, 2] }, perCheck: 0.5 } as const
  return {
    ...passingOf(draft),
    ...(has('failing lengths') ? { minutesFailing: failing } : {}),
    ...(has('waits for a runner') ? { startDelay } : {}),
  }
}

function passingOf({ dice, has }: ScenarioDraft): Suite {
  const isOnTheDot = has('cancels on the dot') || has('pauses on the dot')
  if (!has('varying lengths') || isOnTheDot) return { minutes: 10 }
  const minutes = dice.pick('length of runs', [
    { uniform: [4, 16] },
    { uniform: [9, 11] },
    { median: 10, p95: 20 },
  ] as const)
  return { minutes, ...(has('lengths by pull request') ? { per: 'pullRequest' } : {}) }
}
