/**
 * Every small case there is, without a seed: what the pull requests are like, in which order they
 * come and get their results, who is cancelled and when, and how the queue is set.
 */

import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { interleavings, resultOrders, type OrderStep } from './orders.ts'

const natures = ['good', 'culprit', 'clashing', 'flaking'] as const
type Nature = (typeof natures)[number]

/** Just before its first result would come, or just after. */
type Cancel = 'never' | 'before' | 'after'

/** Cases of one order and one choice of cancels: what a core works on at a time. */
export type Block = { readonly order: readonly OrderStep[]; readonly cancels: readonly Cancel[] }

/** With so many at once there are too many orders: they come together, and none is cancelled late. */
const crowd = 4

export const pullRequestsAtMost = crowd

/** All blocks of one to `atMost` pull requests. */
export function* blocks(atMost: number): Generator<Block> {
  for (let count = 1; count <= atMost; count++) {
    const orders = count < crowd ? interleavings(count) : resultOrders(count)
    const moments: readonly Cancel[] =
      count < crowd ? ['never', 'before', 'after'] : ['never', 'before']
    for (const order of orders) {
      for (const cancels of choices(count, () => moments)) yield { order, cancels }
    }
  }
}

/** The cases of a block, as scenarios. */
export function* casesIn(block: Block): Generator<Scenario> {
  for (const chosen of choices(block.cancels.length, naturesOf)) {
    for (const queue of queuesFor(chosen)) yield scenarioOf(block, chosen, queue)
  }
}

/** The first has nobody before it to clash with: it would be a good one once more. */
function naturesOf(place: number): readonly Nature[] {
  return place === 0 ? natures.filter((nature) => nature !== 'clashing') : natures
}

type Queue = NonNullable<Scenario['queue']>

/** Where no run can fail, nobody asks how deep a failure waits: one depth stands for all. */
function queuesFor(chosen: readonly Nature[]): Queue[] {
  const mayFail = chosen.some((nature) => nature === 'culprit' || nature === 'flaking')
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

/** Steps of an order are so far apart that a batch which does not fill starts in between. */
const stepMinutes = 10

function scenarioOf({ order, cancels }: Block, chosen: readonly Nature[], queue: Queue): Scenario {
  const pullRequests = chosen.map((nature, place): PullRequestEntry => {
    const number = place + 1
    const at = minuteOf(order, 'submission', number)
    return {
      number,
      at,
      testMinutes: minuteOf(order, 'result', number) - at,
      ...truthOf(nature, number),
    }
  })
  const events = cancels.flatMap((cancel, place): ScenarioEvent[] => {
    if (cancel === 'never') return []
    const number = place + 1
    const at = minuteOf(order, 'result', number) + (cancel === 'before' ? -1 : 1)
    return [{ at, do: 'cancel', number }]
  })
  return { name: 'small', queue, pullRequests, events }
}

function truthOf(nature: Nature, number: number): Partial<PullRequestEntry> {
  switch (nature) {
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

/** Submissions in a row come together; every result has a step of its own. */
function minuteOf(order: readonly OrderStep[], kind: OrderStep['kind'], number: number): number {
  let minutes = 0
  for (const [index, step] of order.entries()) {
    const isTogether = step.kind === 'submission' && order[index - 1]?.kind === 'submission'
    if (index > 0 && !isTogether) minutes += stepMinutes
    if (step.kind === kind && step.number === number) return minutes
  }
  return minutes
}

/** Every way to choose one of the options for each place. */
function choices<Option>(
  count: number,
  optionsAt: (place: number) => readonly Option[],
): Option[][] {
  let all: Option[][] = [[]]
  for (let place = 0; place < count; place++) {
    all = all.flatMap((chosen) => optionsAt(place).map((option) => [...chosen, option]))
  }
  return all
}
