/**
 * Single mode: a batch takes pull requests contiguously in order, up to the target size.
 *
 * Source: spec "Order and starting" (batching).
 */

import { targetBatchSize } from '../model/configuration.ts'
import { firstPending, isAlone, pendingInOrder } from '../model/pending-order.ts'
import type { PullRequestNumber, QueueView } from '../model/state.ts'

/**
 * The pull requests that should start together now; none while a batch is still filling.
 * `isDue`: somebody has waited for the maximum wait.
 */
export function contiguousGroup(queue: QueueView, isDue: boolean): PullRequestNumber[] {
  const first = firstPending(queue)
  if (!first) return []
  const size = targetBatchSize(queue.configuration)
  if (size === 1 || isAlone(first)) return [first.number]
  const { pending, alone } = queue.order
  // Whoever is tested alone stands somewhere behind the first, and cuts the batch off there.
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
