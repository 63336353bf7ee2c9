/**
 * Batches in single mode: the next pull requests in order, up to the batch size. Pull requests that
 * are tested alone are passed over.
 *
 * Rules: E-30, E-31, E-32, E-225.
 */

import { batchSize } from '../model/batch-size.ts'
import { firstPending, isAlone, pendingInOrder } from '../model/pending-order.ts'
import type { PullRequestView, QueueView } from '../model/state.ts'
import type { FillingGroup } from './filling-group.ts'

/** Yields the group that starts next; none if nothing is PENDING. */
export function* contiguousGroup(queue: QueueView): Generator<FillingGroup> {
  const first = firstPending(queue)
  if (!first) return
  const size = batchSize(queue)
  const members = isAlone(first) ? [first] : together(queue, size)
  yield { members, isComplete: members.length === size || isAlone(first) }
}

function together(queue: QueueView, size: number): PullRequestView[] {
  const members: PullRequestView[] = []
  for (const pullRequest of pendingInOrder(queue)) {
    if (members.length === size) break
    if (!isAlone(pullRequest)) members.push(pullRequest)
  }
  return members
}
