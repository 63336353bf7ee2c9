/** What stands for a pull request's content. */

import type { BisectionView, PullRequestNumber, QueueView } from './state.ts'

/**
 * What stands for each pull request's content in a composition: the sequence number of its
 * submission, since a push keeps the number and changes the content.
 */
export function contentsOf(queue: QueueView, numbers: readonly PullRequestNumber[]): number[] {
  return numbers.map((number) => queue.pullRequests[number]?.submission ?? 0)
}

/** The same for members of a bisection, as they were when it began. */
export function memberContents(
  bisection: BisectionView,
  numbers: readonly PullRequestNumber[],
): number[] {
  return numbers.map((number) => bisection.submissions[number] ?? 0)
}
