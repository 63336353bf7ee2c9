/** The fixed settings of Mergeyard itself, and which of them are surely better than the proposed one. */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import { centreOf, endsOf } from '../../sim/statistics/interval.ts'
import { withEqualSlots } from '../queues/fair-scenario.ts'
import { jointConfidence } from '../statistics/difference.ts'
import { type Effect, ratioOf } from '../statistics/ratio.ts'
import { measures, type StrategyRuns } from './comparison.ts'
import type { ComparedRow } from './rows.ts'

type Queue = NonNullable<Scenario['queue']>

const batches = [1, 2, 4, 8, 16] as const
const depths = [0, 2] as const

/** `batches of 4, optimistic, hold 2` */
const fixedSettings: readonly { readonly name: string; readonly queue: Queue }[] = batches.flatMap(
  (size) =>
    [false, true].flatMap((isOptimistic) =>
      depths.map((depth) => ({
        name: [
          size === 1 ? 'no batches' : `batches of ${size}`,
          ...(isOptimistic ? ['optimistic'] : []),
          `hold ${depth}`,
        ].join(', '),
        queue: {
          policy: 'documented',
          canOptimisticallyMerge: isOptimistic,
          pendingFailureDepth: depth,
          ...(size === 1
            ? { batch: false }
            : { batch: true, batchingMinSize: size, batchingMaxWaitTimeMinutes: 5 }),
        } as const,
      })),
    ),
)

/** Returns a row for each fixed setting, in as many slots as every queue has. */
export function fixedRows(scenario: Scenario): ComparedRow[] {
  return fixedSettings.map(({ name, queue }) => {
    const { queue: slotted } = withEqualSlots({
      ...scenario,
      queue: { ...scenario.queue, ...queue },
    })
    return {
      ...{ strategy: name, setting: null, isReference: false },
      row: { kind: 'setting', other: null, queue: slotted },
    }
  })
}

/** A fixed setting that is surely faster and pays nothing for it, as `betterFixed` counts it. */
export type BetterFixed = {
  readonly setting: string
  /** p95 to land over that of the proposed setting. */
  readonly p95: Effect
}

/** Smaller differences are not worth another setting, and a greater one in CI minutes is a price. */
const least = 0.05

/**
 * Returns the fixed settings whose p95 to land is surely better by more than 5 %, unless their CI minutes per merge
 * are at least 5 % more or they evict more healthy pull requests. The intervals hold together with 95 %.
 */
export function betterFixed(own: StrategyRuns, fixed: readonly StrategyRuns[]): BetterFixed[] {
  const confidence = jointConfidence(fixed.length)
  return fixed.flatMap((each) => {
    const p95 = ratioOf(p95Of(each), p95Of(own), confidence)
    return p95 && isSurelyLess(p95) && !pays(each, own) ? [{ setting: each.strategy, p95 }] : []
  })
}

function isSurelyLess({ measure, size }: Effect): boolean {
  return measure === 'ratio' && size.kind === 'interval' && endsOf(size).high < 1 - least
}

function pays(fixed: StrategyRuns, own: StrategyRuns): boolean {
  const ci = ratioOf(ciOf(fixed), ciOf(own))
  const isDearer = ci?.measure === 'ratio' && centreOf(ci.size) >= 1 + least
  return isDearer || evictedBy(fixed) > evictedBy(own)
}

const p95Of = ({ runs }: StrategyRuns) => runs.map(measures['time to land p95'].of)
const ciOf = ({ runs }: StrategyRuns) => runs.map(measures['CI minutes per merge'].of)
const evictedBy = ({ runs }: StrategyRuns): number =>
  runs.reduce((sum, { healthyEvicted }) => sum + healthyEvicted, 0)
