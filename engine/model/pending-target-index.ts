/**
 * An index from target to PENDING pull requests, so that the cost of a lookup depends on the number
 * of targets, not on the number of waiting pull requests. Parallel mode only.
 */

import { insert, noEntries, onlyEntry, positionOf, remove } from './entries.ts'
import { turnOf } from './stack.ts'
import type { PullRequestView, Queue, QueueView, TargetIndex } from './state.ts'
import { targetKey, type ImpactedTargets } from './targets.ts'

export const emptyTargetIndex = (): TargetIndex => ({ byTarget: {}, all: noEntries() })

/** Priorities are at most 255, so both values fit into an exact number. */
const submissionsPerPriority = 2 ** 44

/** Returns one number for a position in the order: priority value, then time of submission. */
export function orderKey(
  pullRequest: Pick<PullRequestView, 'priority' | 'submission' | 'turn'>,
): number {
  return pullRequest.priority * submissionsPerPriority + turnOf(pullRequest)
}

/** A pull request with the fields that its position in the order depends on. */
export type OrderedPullRequest = Pick<
  PullRequestView,
  'number' | 'priority' | 'submission' | 'turn'
>

/** Adds a pull request that has become PENDING, with its current targets in the queue. */
export function addToTargetIndex(queue: Queue, pullRequest: OrderedPullRequest): void {
  if (queue.configuration.mode === 'single') return
  const { byTarget, all } = queue.order.sharing
  const targets = queue.impactedTargets[pullRequest.number] ?? []
  const key = orderKey(pullRequest)
  if (targets === 'ALL') {
    insert(all, pullRequest.number, key)
    return
  }
  for (const name of targets) {
    const target = targetKey(name)
    const entries = byTarget[target]
    if (entries) insert(entries, pullRequest.number, key)
    else byTarget[target] = onlyEntry(pullRequest.number, key)
  }
}

/** Removes a pull request. Its fields and targets must be the same as when it was added. */
export function removeFromTargetIndex(queue: Queue, pullRequest: OrderedPullRequest): void {
  if (queue.configuration.mode === 'single') return
  const { byTarget, all } = queue.order.sharing
  const targets = queue.impactedTargets[pullRequest.number] ?? []
  const key = orderKey(pullRequest)
  if (targets === 'ALL') remove(all, key)
  else {
    for (const name of targets) {
      const entries = byTarget[targetKey(name)]
      if (!entries) continue
      remove(entries, key)
      if (entries.numbers.length === 0) delete byTarget[targetKey(name)]
    }
  }
}

/**
 * Returns the first PENDING pull request in order whose key is above `key` and that shares a target
 * with `targets`; undefined if there is none. For `ALL` use `pendingInOrder`.
 */
export function nextByTargets(
  { order, pullRequests }: QueueView,
  targets: readonly Exclude<ImpactedTargets, 'ALL'>[number][],
  key: number,
): PullRequestView | undefined {
  const { byTarget, all } = order.sharing
  let best = Infinity
  let found: number | undefined
  const consider = (entries: QueueView['order']['sharing']['all'] | undefined): void => {
    if (!entries) return
    const at = positionOf(entries, key + 1)
    const candidate = entries.keys[at] ?? Infinity
    if (candidate >= best) return
    best = candidate
    found = entries.numbers[at]
  }
  consider(all)
  for (const name of targets) consider(byTarget[targetKey(name)])
  return found === undefined ? undefined : pullRequests[found]
}
