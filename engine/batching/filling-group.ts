/** A group that is to start, or a batch that is still filling. */

import { isAlone, pendingInOrder } from '../model/pending-order.ts'
import { batchSize } from '../model/policy.ts'
import type { Millis, PullRequestView, QueueView } from '../model/state.ts'

export type FillingGroup = {
  /** In order. */
  readonly members: readonly PullRequestView[]
  /** It starts without waiting: it is full, or is tested alone, or nobody more can join. */
  readonly isComplete: boolean
}

/** The instant since which its longest waiting member is PENDING; Infinity for none. */
export function pendingSinceOf({ members }: FillingGroup): Millis {
  let since = Infinity
  for (const { pendingSince } of members) since = Math.min(since, pendingSince ?? Infinity)
  return since
}

/** True if it starts as soon as a slot is free: it is complete or has waited since `dueSince`. */
export const isDue = (group: FillingGroup, dueSince: Millis): boolean =>
  group.isComplete || pendingSinceOf(group) <= dueSince

// Batches in single mode: the next pull requests in order, up to the batch size. A batch ends at one
// that is tested alone.
//
// Rules: E-30, E-31, E-32, E-225.

/** Yields the group that starts next; none if nothing is PENDING. */
export function* contiguousGroup(queue: QueueView): Generator<FillingGroup> {
  const group = nextInOrder(queue, batchSize(queue))
  if (group.members.length > 0) yield group
}

/** The next pull requests in order, up to `size`, or the first one that is tested alone. */
function nextInOrder(queue: QueueView, size: number): FillingGroup {
  const members: PullRequestView[] = []
  for (const pullRequest of pendingInOrder(queue)) {
    if (members.length === size) break
    if (isAlone(pullRequest)) {
      return { members: members.length > 0 ? members : [pullRequest], isComplete: true }
    }
    members.push(pullRequest)
  }
  return { members, isComplete: members.length === size }
}
