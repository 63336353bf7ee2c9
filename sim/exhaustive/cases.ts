/**
 * Every small case, without a seed: the kinds of pull requests, the order of their submissions and
 * results, their cancels, and the settings of the queue.
 */

import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import type { OrderStep } from './orders.ts'
import {
  kindsOf,
  queuesFor,
  scopes,
  type Cancel,
  type PullRequestKind,
  type Scope,
} from './scopes.ts'

/** The cases of one order and one choice of cancels: the unit of work for a core. */
export type Block = {
  readonly scope: Scope
  readonly order: readonly OrderStep[]
  readonly cancels: readonly Cancel[]
}

export const pullRequestsAtMost = Math.max(...scopes.map(({ count }) => count))

/** Yields all blocks of one to `atMost` pull requests. */
export function* blocks(atMost: number): Generator<Block> {
  for (const scope of scopes.filter(({ count }) => count <= atMost)) {
    const all = choices(scope.count, () => scope.cancels)
    const few = all.filter((cancels) => cancelledIn(cancels) <= scope.mostCancels)
    for (const order of scope.orders) for (const cancels of few) yield { scope, order, cancels }
  }
}

const cancelledIn = (cancels: readonly Cancel[]): number =>
  cancels.filter((cancel) => cancel !== 'never').length

/** Yields the cases of a block as scenarios. */
export function* casesIn(block: Block): Generator<Scenario> {
  const { scope } = block
  for (const chosen of choices(scope.count, (index) => kindsOf(index, scope.kinds))) {
    yield* casesOf(block, chosen)
  }
}

/** Yields the cases of a block with pull requests of these kinds, for every setting of the queue. */
export function* casesOf(block: Block, chosen: readonly PullRequestKind[]): Generator<Scenario> {
  for (const queue of queuesFor(block.scope, chosen)) yield scenarioOf(block, chosen, queue)
}

/** Long enough for a batch that is not full to start between two steps of an order. */
const stepMinutes = 10

/** It keeps the only slot until the bisection of the first two is over. */
const ownLongRun = { noBatch: true, testMinutes: 20 * stepMinutes }

/** They are tested alone and one after the other, so each is judged before the next one comes. */
function brokenBefore({ brokenBefore: count }: Scope): PullRequestEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    number: 101 + index,
    at: stepMinutes * index,
    testMinutes: stepMinutes / 2,
    breaks: true,
    noBatch: true,
  }))
}

function scenarioOf(
  { scope, order, cancels }: Block,
  chosen: readonly PullRequestKind[],
  queue: NonNullable<Scenario['queue']>,
): Scenario {
  const before = brokenBefore(scope)
  const minuteOf = (kind: OrderStep['kind'], number: number): number =>
    stepMinutes * before.length + minuteIn(order, kind, number)
  const pullRequests = chosen.map((kind, index): PullRequestEntry => {
    const number = index + 1
    const at = minuteOf('submission', number)
    return {
      number,
      at,
      testMinutes: minuteOf('result', number) - at,
      ...truthOf(kind, number),
      ...(scope.isCrowded && number === 3 ? ownLongRun : {}),
    }
  })
  const events = cancels.flatMap((cancel, index): ScenarioEvent[] => {
    if (cancel === 'never') return []
    const number = index + 1
    const at = minuteOf('result', number) + (cancel === 'before' ? -1 : 1)
    return [{ at, do: 'cancel', number }]
  })
  return { name: 'small', queue, pullRequests: [...before, ...pullRequests], events }
}

function truthOf(kind: PullRequestKind, number: number): Partial<PullRequestEntry> {
  switch (kind) {
    case 'good':
      return {}
    case 'culprit':
      return { breaks: true }
    case 'clashing':
      return { conflictsWith: [number - 1] }
    case 'pairing':
      return { clashesWith: [number - 1] }
    case 'stacked':
      return { dependsOn: [number - 1] }
    case 'early':
      return { dependsOn: [number + 1] }
    case 'flaking':
      return { flakyRuns: [1] }
  }
}

/** Consecutive submissions happen at one instant; every result is a separate step. */
function minuteIn(order: readonly OrderStep[], kind: OrderStep['kind'], number: number): number {
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
