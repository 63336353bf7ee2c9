/**
 * Every small case, without a seed: the kinds of pull requests, the order of their submissions and
 * results, their cancels, and the settings of the queue.
 */

import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { interleavings, resultOrders, type OrderStep } from './orders.ts'

const pullRequestKinds = ['good', 'culprit', 'clashing', 'flaking'] as const
export type PullRequestKind = (typeof pullRequestKinds)[number]

/** When a pull request is cancelled: just before its first result, or just after. */
export type Cancel = 'never' | 'before' | 'after'

/** The cases of one order and one choice of cancels: the unit of work for a core. */
export type Block = { readonly order: readonly OrderStep[]; readonly cancels: readonly Cancel[] }

/** With this many there are too many orders: all are submitted at once, and none cancelled late. */
const reducedCount = 4

export const pullRequestsAtMost = reducedCount

/** Yields all blocks of one to `atMost` pull requests. */
export function* blocks(atMost: number): Generator<Block> {
  for (let count = 1; count <= atMost; count++) {
    const isReduced = count >= reducedCount
    const orders = isReduced ? resultOrders(count) : interleavings(count)
    const options: readonly Cancel[] = isReduced
      ? ['never', 'before']
      : ['never', 'before', 'after']
    for (const order of orders) {
      for (const cancels of choices(count, () => options)) yield { order, cancels }
    }
  }
}

/** Yields the cases of a block as scenarios. */
export function* casesIn(block: Block): Generator<Scenario> {
  for (const chosen of choices(block.cancels.length, kindsOf)) yield* casesOf(block, chosen)
}

/** Yields the cases of a block with pull requests of these kinds, for every setting of the queue. */
export function* casesOf(block: Block, chosen: readonly PullRequestKind[]): Generator<Scenario> {
  for (const queue of queuesFor(chosen)) yield scenarioOf(block, chosen, queue)
}

/** The first pull request has no predecessor to conflict with, so that case equals the good one. */
export function kindsOf(index: number): readonly PullRequestKind[] {
  return index === 0 ? pullRequestKinds.filter((kind) => kind !== 'clashing') : pullRequestKinds
}

type SmallQueue = NonNullable<Scenario['queue']>

/** If no run can fail, the pending failure depth has no effect, so one depth is enough. */
function queuesFor(chosen: readonly PullRequestKind[]): SmallQueue[] {
  const mayFail = chosen.some((kind) => kind === 'culprit' || kind === 'flaking')
  const depths = mayFail ? [0, 1, 2] : [0]
  return [1, 2, 3].flatMap((size) =>
    depths.flatMap((pendingFailureDepth) =>
      [false, true].map((canOptimisticallyMerge) => ({
        ...(size > 1 ? { batch: true, batchingMinSize: size } : {}),
        pendingFailureDepth,
        canOptimisticallyMerge,
      })),
    ),
  )
}

/** Long enough for a batch that is not full to start between two steps of an order. */
const stepMinutes = 10

function scenarioOf(
  { order, cancels }: Block,
  chosen: readonly PullRequestKind[],
  queue: SmallQueue,
): Scenario {
  const pullRequests = chosen.map((kind, index): PullRequestEntry => {
    const number = index + 1
    const at = minuteOf(order, 'submission', number)
    return {
      number,
      at,
      testMinutes: minuteOf(order, 'result', number) - at,
      ...truthOf(kind, number),
    }
  })
  const events = cancels.flatMap((cancel, index): ScenarioEvent[] => {
    if (cancel === 'never') return []
    const number = index + 1
    const at = minuteOf(order, 'result', number) + (cancel === 'before' ? -1 : 1)
    return [{ at, do: 'cancel', number }]
  })
  return { name: 'small', queue, pullRequests, events }
}

function truthOf(kind: PullRequestKind, number: number): Partial<PullRequestEntry> {
  switch (kind) {
    case 'good':
      return {}
    case 'culprit':
      return { breaks: true }
    case 'clashing':
      return { conflictsWith: [number - 1] }
    case 'flaking':
      return { flakyRuns: [1] }
  }
}

/** Consecutive submissions happen at one instant; every result is a separate step. */
function minuteOf(order: readonly OrderStep[], kind: OrderStep['kind'], number: number): number {
  let minutes = 0
  for (const [index, step] of order.entries()) {
    const isTogether = step.kind === 'submission' && order[index - 1]?.kind === 'submission'
    if (index > 0 && !isTogether) minutes += stepMinutes
    if (step.kind === kind && step.number === number) return minutes
  }
  return minutes
}

/** Returns every way to choose one of the options for each position. */
function choices<Option>(
  count: number,
  optionsAt: (index: number) => readonly Option[],
): Option[][] {
  let all: Option[][] = [[]]
  for (let index = 0; index < count; index++) {
    all = all.flatMap((chosen) => optionsAt(index).map((option) => [...chosen, option]))
  }
  return all
}
