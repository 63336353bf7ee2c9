/** What a queue has shown of itself lately, as plain JSON: a forecast learns its rates from it. */

import {
  type ImpactedTargets,
  type Millis,
  pendingInOrder,
  type PullRequestNumber,
  type PullRequestView,
  type QueueView,
} from '../../engine/index.ts'

export type Observed = {
  /** The last verdicts, oldest first. */
  readonly verdicts: readonly ObservedVerdict[]
  /** How long the last runs lasted, oldest first. */
  readonly lengths: readonly ObservedLength[]
  /** The last submissions, oldest first. */
  readonly arrivals: readonly ObservedArrival[]
  /** The submissions in `verdicts` that have merged. */
  readonly merged: readonly number[]
}

export type ObservedVerdict = {
  /** The submissions that the run contained. */
  readonly contents: readonly number[]
  readonly outcome: 'passed' | 'failed'
  /** The keys of the tests that failed; empty if nobody named them. */
  readonly failedTests: readonly string[]
}

export type ObservedLength = {
  readonly ms: Millis
  /** False: it was cancelled or timed out after this time, so it would have lasted longer. */
  readonly isWhole: boolean
}

export type ObservedArrival = {
  readonly at: Millis
  /** Null: the default. */
  readonly priority: number | null
  readonly noBatch: boolean
  /** Null: nobody has uploaded any. */
  readonly targets: ImpactedTargets | null
}

/** So many of each are kept. More would describe how the queue was, not how it is. */
export const mostVerdicts = 300
export const mostLengths = 300
export const mostArrivals = 100

/** With fewer whole runs nobody can know how long the next one takes. */
export const fewestRuns = 20

export function hasSeenEnough({ lengths }: Observed): boolean {
  return lengths.filter(({ isWhole }) => isWhole).length >= fewestRuns
}

// A copy of a queue's state without those that have left it, of whom a server remembers a hundred
// thousand. So a copy costs as much as the queue is long.

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
