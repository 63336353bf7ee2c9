import { isTerminal } from '../model/pull-request-state.ts'
import { dependentsOf } from '../model/stack.ts'
import type { PullRequestNumber, QueueView } from '../model/state.ts'
import type { Forget } from '../protocol/commands.ts'
import type { Decide } from './decide.ts'

/**
 * Forgets those of the pull requests that are not in the queue, and that nothing in progress can
 * depend on. Never rejected, because a what-if replay can meet others in the queue. Rule: E-211.
 */
export const forget: Decide<Forget> = (step, { numbers }) => {
  for (const number of forgettable(step.queue, numbers)) {
    step.emit({ type: 'pullRequestForgotten', number })
  }
  return null
}

/** Returns those of the pull requests that a `forget` would forget now. */
export function forgettable(
  queue: QueueView,
  numbers: readonly PullRequestNumber[],
): PullRequestNumber[] {
  const oldest = oldestSubmission(queue)
  return numbers.filter((number) => isForgettable(queue, number, oldest))
}

/**
 * A run contains only pull requests that were in the queue when it began. So nothing in progress
 * contains one that left before the oldest of those in progress was submitted.
 */
function isForgettable(queue: QueueView, number: PullRequestNumber, oldest: number): boolean {
  // Whether the other one of a text conflict has merged is still asked for.
  const conflicting = queue.hostFacts[number]?.conflictsWith ?? []
  if (conflicting.some((other) => isInQueue(queue, other))) return false
  // Whether it has landed is still asked for, and its targets count for those on top of it.
  if (dependentsOf(queue, number).length > 0) return false
  const pullRequest = queue.pullRequests[number]
  if (!pullRequest) return number in queue.impactedTargets || number in queue.hostFacts
  return isTerminal(pullRequest.state) && pullRequest.stateChangedAt < oldest
}

function isInQueue(queue: QueueView, number: PullRequestNumber): boolean {
  const pullRequest = queue.pullRequests[number]
  return pullRequest !== undefined && !isTerminal(pullRequest.state)
}

/** When the oldest submission in the line or in a bisection arrived; infinite if there is none. */
function oldestSubmission({ line, groups, bisections, pullRequests }: QueueView): number {
  const inLine = line.flatMap((id) => groups[id]?.members ?? [])
  const apart = bisections.flatMap(({ proven, open }) => [...proven, ...open])
  return [...inLine, ...apart].reduce(
    (oldest, number) => Math.min(oldest, pullRequests[number]?.submittedAt ?? oldest),
    Infinity,
  )
}
