/**
 * Who among the PENDING shares a target with whom: an index from target to pull requests, so that
 * a question costs by what is shared, not by how many wait. Kept in parallel mode only.
 */

import { insert, noEntries, onlyEntry, placeOf, remove } from './entries.ts'
import type { PullRequestView, Queue, QueueView, Sharing } from './state.ts'
import { targetKey, type ImpactedTargets } from './targets.ts'

export const emptySharing = (): Sharing => ({ byTarget: {}, all: noEntries() })

/** Priorities are at most 255, so both fit in what a number holds exactly. */
const submissionsPerPriority = 2 ** 44

/** One number for a place in the order: priority value, then time of submission. */
export function orderKey({
  priority,
  submission,
}: Pick<PullRequestView, 'priority' | 'submission'>): number {
  return priority * submissionsPerPriority + submission
}

/** What a place in the order depends on, and who has it. */
export type Placed = Pick<PullRequestView, 'number' | 'priority' | 'submission'>

/** Adds one that is PENDING now. Call it with the targets it has in the queue. */
export function addSharing(queue: Queue, placed: Placed): void {
  if (queue.configuration.mode === 'single') return
  const { byTarget, all } = queue.order.sharing
  const targets = queue.impactedTargets[placed.number] ?? []
  const key = orderKey(placed)
  if (targets === 'ALL') {
    insert(all, placed.number, key)
    return
  }
  for (const name of targets) {
    const target = targetKey(name)
    const entries = byTarget[target]
    if (entries) insert(entries, placed.number, key)
    else byTarget[target] = onlyEntry(placed.number, key)
  }
}

/** Takes one out, as it was added. */
export function removeSharing(queue: Queue, placed: Placed): void {
  if (queue.configuration.mode === 'single') return
  const { byTarget, all } = queue.order.sharing
  const targets = queue.impactedTargets[placed.number] ?? []
  const key = orderKey(placed)
  if (targets === 'ALL') {
    remove(all, key)
    return
  }
  for (const name of targets) {
    const entries = byTarget[targetKey(name)]
    if (!entries) continue
    remove(entries, key)
    if (entries.numbers.length === 0) delete byTarget[targetKey(name)]
  }
}

/**
 * The first PENDING pull request whose place is above `key` and that shares a target with these,
 * in order; undefined when there is none. Everybody shares with `ALL`: ask the order itself then.
 */
export function nextSharing(
  { order, pullRequests }: QueueView,
  targets: readonly Exclude<ImpactedTargets, 'ALL'>[number][],
  key: number,
): PullRequestView | undefined {
  const { byTarget, all } = order.sharing
  let best = Infinity
  let found: number | undefined
  const consider = (entries: QueueView['order']['sharing']['all'] | undefined): void => {
    if (!entries) return
    const at = placeOf(entries, key + 1)
    const candidate = entries.keys[at] ?? Infinity
    if (candidate >= best) return
    best = candidate
    found = entries.numbers[at]
  }
  consider(all)
  for (const name of targets) consider(byTarget[targetKey(name)])
  return found === undefined ? undefined : pullRequests[found]
}
