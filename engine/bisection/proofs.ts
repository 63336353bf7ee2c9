/**
 * Which run proved which member of a bisection, and whose proof goes when a member leaves.
 *
 * Source: spec "Bisection" (a member that leaves).
 */

import type { BisectionView, PullRequestNumber, QueueView, TestRun } from '../model/state.ts'

/** The run on whose word the member is proven; null when it is not. */
export function proofOf(
  queue: QueueView,
  bisection: BisectionView,
  number: PullRequestNumber | undefined,
): TestRun | null {
  const proof = number === undefined ? null : queue.pullRequests[number]?.verifiedBy
  const verdicts = Object.values(bisection.verdicts)
  return verdicts.find(({ run }) => run.id === proof)?.run ?? null
}

/**
 * The members, proven and not handed over, whose proof held the one that leaves: those behind it,
 * and those ahead of it that the same run proved.
 */
export function provenWith(
  queue: QueueView,
  bisection: BisectionView,
  number: PullRequestNumber,
): PullRequestNumber[] {
  const content = bisection.submissions[number]
  const first = bisection.proven.findIndex((member) => {
    const proof = proofOf(queue, bisection, member)
    return content !== undefined && proof?.submissions.includes(content) === true
  })
  return first === -1 ? [] : bisection.proven.slice(first).filter((member) => member !== number)
}
