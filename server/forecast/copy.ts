/**
 * A copy of a queue's state without those that have left it, of whom a server remembers a hundred
 * thousand. So a copy costs as much as the queue is long.
 */

import {
  pendingInOrder,
  type PullRequestNumber,
  type PullRequestView,
  type QueueView,
} from '../../engine/index.ts'

/** With more in the queue there is no forecast: a copy would hold up the server's requests. */
export const mostInQueue = 2000

/** The numbers of all that are in the queue or in a run, in no particular order. */
function* numbersIn(queue: QueueView): Generator<PullRequestNumber> {
  for (const { number } of pendingInOrder(queue)) yield number
  yield* queue.order.notReady.numbers.slice(queue.order.notReady.head)
  for (const id of queue.line) yield* queue.groups[id]?.members ?? []
  for (const { open, proven, handedOver } of queue.bisections) {
    yield* open
    yield* proven
    yield* handedOver
  }
  for (const { base, tested } of Object.values(queue.testRuns)) {
    yield* base
    yield* tested
  }
}

/** The pull requests that are in the queue or in a run in progress. */
export function present(queue: QueueView): PullRequestView[] {
  const numbers = new Set(numbersIn(queue))
  return [...numbers].flatMap((number) => queue.pullRequests[number] ?? [])
}

/** The state as JSON text with these pull requests only. */
export function copyOf(queue: QueueView, kept: readonly PullRequestView[]): string {
  const only = <T>(records: Readonly<Record<PullRequestNumber, T>>): Record<number, T> => {
    const found: Record<number, T> = {}
    for (const { number } of kept) {
      const record = records[number]
      if (record !== undefined) found[number] = record
    }
    return found
  }
  const { pullRequests, impactedTargets, hostFacts, greenOnTip } = queue
  const numbers = new Set(kept.map(({ number }) => number))
  return JSON.stringify({
    ...queue,
    pullRequests: only(pullRequests),
    impactedTargets: only(impactedTargets),
    hostFacts: only(hostFacts),
    greenOnTip: greenOnTip.filter((number) => numbers.has(number)),
  })
}
