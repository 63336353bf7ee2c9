/** The queue settings and the length of runs of a swarm scenario. */

import type { Scenario, Suite } from '../scenario/scenario.ts'
import type { ScenarioDraft } from './scenario-draft.ts'

type ScenarioQueue = NonNullable<Scenario['queue']>

/** Values of the settings that are numbers: everyday ones, and some of the range above them. */
const someValues = {
  concurrency: { everyday: [1, 1, 2, 2, 3, 4, 6, 20], far: [5, 21, 50, 1000] },
  'batch size': { everyday: [1, 2, 2, 3, 4, 4, 6, 8, 16], far: [17, 20, 30, 45, 1000] },
  'batch wait': { everyday: [0, 0, 2, 5, 5, 30], far: [20, 31, 61, 301, 1500] },
  depth: { everyday: [1, 1, 2, 3], far: [4, 5, 7, 12, 1000] },
  /** Around the typical length of a run, which is 10 minutes. */
  timeout: { everyday: [6, 10, 14, 45], far: [299, 301, 480, 1441, 20_000] },
  'bisection concurrency': { everyday: [1, 1, 2, 3, 8], far: [9, 17, 25, 1000] },
} as const

/** Draws the value of a setting. `key` is the key of the draw: it differs if the setting changes later. */
export function valueOf(
  { dice, has }: ScenarioDraft,
  name: keyof typeof someValues,
  key: string = name,
): number {
  const { everyday, far } = someValues[name]
  const isFar = has('far settings') && dice.chance(`is far: ${key}`, 0.6)
  return isFar ? dice.pick(`far ${key}`, far) : dice.pick(key, everyday)
}

export function queueOf(draft: ScenarioDraft): ScenarioQueue {
  const { dice, has } = draft
  const batching: ScenarioQueue = {
    batch: true,
    batchingMinSize: valueOf(draft, 'batch size'),
    batchingMaxWaitTimeMinutes: valueOf(draft, 'batch wait'),
  }
  return {
    ...(has('parallel mode') ? { mode: 'parallel' } : {}),
    concurrency: valueOf(draft, 'concurrency'),
    ...(has('bisection slots')
      ? { bisectionConcurrency: valueOf(draft, 'bisection concurrency') }
      : {}),
    ...(has('batching') ? batching : {}),
    ...(has('refused below a stack')
      ? { ...batching, batchingMinSize: 4, bisectionConcurrency: 1 }
      : {}),
    ...(has('depth') ? { pendingFailureDepth: valueOf(draft, 'depth') } : {}),
    ...(has('optimistic merging') ? { canOptimisticallyMerge: true } : {}),
    ...(has('adaptive policy') ? { policy: 'adaptive' } : {}),
    ...(has('tip tests') ? { tipTestMode: 'always' } : {}),
    ...(has('direct merges') ? { directMergeMode: 'always' } : {}),
    ...timeoutOf(draft),
    ...(has('idle at first') ? { state: dice.pick('first state', ['PAUSED', 'DRAINING']) } : {}),
  }
}

/** Without one that the runs could meet, the default is as good as any. */
function timeoutOf(draft: ScenarioDraft): ScenarioQueue {
  const { has } = draft
  if (has('short timeout')) return { testingTimeoutMinutes: 14 }
  if (has('far settings')) return { testingTimeoutMinutes: valueOf(draft, 'timeout') }
  return has('hung runs') ? { testingTimeoutMinutes: 45 } : {}
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
