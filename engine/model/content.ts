/** What stands for a pull request's content. */

import type { BisectionView, PullRequestNumber, QueueView } from './state.ts'

/**
 * What stands for a pull request's content in a composition: the sequence number of its
 * submission, since a push keeps the number and changes the content.
 */
export function contentOf(queue: QueueView, number: PullRequestNumber): number {
  return queue.pullRequests[number]?.submission ?? 0
}

/** The same for each of several. */
export function contentsOf(queue: QueueView, numbers: readonly PullRequestNumber[]): number[] {
  return numbers.map((number) => contentOf(queue, number))
}

/** What stood for members of a bisection, when it began. */
export function memberContents(
  bisection: BisectionView,
  numbers: readonly PullRequestNumber[],
): number[] {
  return numbers.map((number) => bisection.submissions[number] ?? 0)
}
