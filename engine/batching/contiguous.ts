/**
 * Batches in single mode: the next pull requests in order, up to the batch size. A batch ends at one
 * that is tested alone.
 *
 * Rules: E-30, E-31, E-32, E-225.
 */

import { batchSize } from '../model/policy.ts'
import { isAlone, pendingInOrder } from '../model/pending-order.ts'
import type { PullRequestView, QueueView } from '../model/state.ts'
import type { FillingGroup } from './filling-group.ts'

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
