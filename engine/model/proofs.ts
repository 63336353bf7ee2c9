/**
 * Proofs: which run proved a member of a bisection, and which proofs end when a member leaves.
 *
 * Rule: E-90.
 */

import type { BisectionView, PullRequestNumber, QueueView, TestRun } from './state.ts'

/** Returns the run that proved the member; null if it is not proven. */
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
 * Returns the proven members, not handed over, whose proof contains the member that leaves: the
 * members behind it, and members ahead of it that the same run proved.
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
