/** Identifiers of the content of pull requests. */

import type { BisectionView, PullRequestNumber, PullRequestView, QueueView } from './state.ts'

/**
 * True if a submission of this head commit may be other content than the last one. Without a commit
 * it says nothing about the content; one that is named for the first time may be another. Rule: E-227.
 */
export function isOtherContent(
  last: Pick<PullRequestView, 'sha'>,
  sha: string | undefined,
): boolean {
  return sha !== undefined && sha !== last.sha
}

/**
 * Returns the number that identifies the content of a pull request in a composition: the sequence
 * number of its submission, because a push keeps the number and changes the content.
 */
export function contentOf(queue: QueueView, number: PullRequestNumber): number {
  return queue.pullRequests[number]?.submission ?? 0
}

/** Returns the contents of several pull requests, in the same order. */
export function contentsOf(queue: QueueView, numbers: readonly PullRequestNumber[]): number[] {
  return numbers.map((number) => contentOf(queue, number))
}

/** Returns the contents of members of a bisection when it began, in the same order. */
export function memberContents(
  bisection: BisectionView,
  numbers: readonly PullRequestNumber[],
): number[] {
  return numbers.map((number) => bisection.submissions[number] ?? 0)
}
