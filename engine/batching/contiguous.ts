/**
 * Batches in single mode: the next pull requests in order, without a gap, up to the target size.
 *
 * Rules: E-30, E-31.
 */

import { targetBatchSize } from '../model/configuration.ts'
import { firstPending, isAlone, pendingInOrder } from '../model/pending-order.ts'
import type { PullRequestNumber, QueueView } from '../model/state.ts'

/**
 * Returns the pull requests that should start as one group now, in order; none while the batch is
 * still filling. `isDue`: a pull request has waited for the maximum wait.
 */
export function contiguousGroup(queue: QueueView, isDue: boolean): PullRequestNumber[] {
  const first = firstPending(queue)
  if (!first) return []
  const size = targetBatchSize(queue.configuration)
  if (size === 1 || isAlone(first)) return [first.number]
  const { pending, alone } = queue.order
  // A pull request that is tested alone is behind the first one, so it ends the batch.
  const isComplete = pending >= size || alone > 0 || isDue
  return isComplete ? takeContiguous(queue, size) : []
}

function takeContiguous(queue: QueueView, size: number): PullRequestNumber[] {
  const members: PullRequestNumber[] = []
  for (const pullRequest of pendingInOrder(queue)) {
    if (members.length === size || isAlone(pullRequest)) break
    members.push(pullRequest.number)
  }
  return members
}
