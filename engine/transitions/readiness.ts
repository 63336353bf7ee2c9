/**
 * A pull request is ready if the state of the queue admits it, the code host does not object, and,
 * in parallel mode, its impacted targets are known, and what it depends on can land first.
 * Rules: E-18, E-19, E-261.
 */

import { move } from '../line/moves.ts'
import { notReadyInOrder, pendingInOrder } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { PullRequestNumber, QueueView } from '../model/state.ts'
import { byTurn, canFollow, dependentsOf, laterTurn } from '../model/stack.ts'
import type { Step } from '../evolve/step.ts'

/**
 * True if a pull request that has not entered the line, and that depends on these, may become PENDING.
 */
export function isReady(
  queue: QueueView,
  number: PullRequestNumber,
  dependsOn: readonly PullRequestNumber[] = queue.pullRequests[number]?.dependsOn ?? [],
): boolean {
  return allows(queue.state, 'admits') && isEligible(queue, number, dependsOn)
}

/** True if the pull request is ready, apart from the state of the queue. */
function isEligible(
  queue: QueueView,
  number: PullRequestNumber,
  dependsOn: readonly PullRequestNumber[],
): boolean {
  const isMergeable = queue.hostFacts[number]?.mergeable ?? true
  const hasTargets = queue.configuration.mode === 'single' || number in queue.impactedTargets
  return isMergeable && hasTargets && canFollow(queue, dependsOn)
}

/** After a change of one pull request: moves it to PENDING or NOT_READY if its readiness changed. */
export function reviewReadiness(step: Step, number: PullRequestNumber): void {
  reviewEach(step, [number])
}

/** After a pull request has entered the queue or landed: reviews what depends on it. */
export function reviewDependents(step: Step, number: PullRequestNumber): void {
  reviewEach(step, byTurn(step.queue, dependentsOf(step.queue, number)))
}

/** Reviews these, and what depends on each that moves, always the one with the earliest turn. Rule: E-262. */
function reviewEach(step: Step, numbers: readonly PullRequestNumber[]): void {
  const { queue } = step
  let open = numbers.toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const dependents = reviewOne(step, next) ? dependentsOf(queue, next) : []
    if (dependents.length > 0) open = byTurn(queue, [...open, ...dependents]).reverse()
  }
}

/** Returns true if it has moved. */
function reviewOne(step: Step, number: PullRequestNumber): boolean {
  const { queue } = step
  const pullRequest = queue.pullRequests[number]
  if (pullRequest?.home.in !== 'order') return false
  if (pullRequest.state === 'NOT_READY' && isReady(queue, number)) {
    const turn = laterTurn(queue, pullRequest)
    move(step, number, 'PENDING', 'MERGE_ITEM_NOW_READY', turn === undefined ? {} : { turn })
    return true
  }
  if (pullRequest.state !== 'PENDING' || isEligible(queue, number, pullRequest.dependsOn ?? [])) {
    return false
  }
  move(step, number, 'NOT_READY', null)
  return true
}

/** After a change of the queue: reviews all waiting pull requests in order. */
export function reviewAllReadiness(step: Step): void {
  const { queue } = step
  const isParallel = queue.configuration.mode === 'parallel'
  if (isParallel)
    reviewEach(
      step,
      Array.from(pendingInOrder(queue), ({ number }) => number),
    )
  reviewEach(
    step,
    notReadyInOrder(queue).map(({ number }) => number),
  )
}
