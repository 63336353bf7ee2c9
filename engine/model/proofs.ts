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
  const { proven } = bisection
  const first = proven.findIndex((member) => isProvenBy(queue, bisection, member, number))
  return first === -1 ? [] : proven.slice(first).filter((member) => member !== number)
}

/**
 * Returns the handed-over members that no longer stand on a proof when one of them leaves: from the first one
 * that is tested again, or was proven by a run that held it.
 */
export function handedOverWith(
  queue: QueueView,
  bisection: BisectionView,
  number: PullRequestNumber,
): PullRequestNumber[] {
  const { handedOver } = bisection
  if (!handedOver.includes(number)) return []
  const first = handedOver.findIndex((member) => {
    const isTestedAgain = proofOf(queue, bisection, member) === null
    return isTestedAgain || isProvenBy(queue, bisection, member, number)
  })
  return handedOver.slice(first)
}

/** Whether the run that proved the member held the one that leaves. */
function isProvenBy(
  queue: QueueView,
  bisection: BisectionView,
  member: PullRequestNumber,
  number: PullRequestNumber,
): boolean {
  const content = bisection.submissions[number]
  const proof = proofOf(queue, bisection, member)
  return content !== undefined && proof?.submissions.includes(content) === true
}
