/**
 * A pull request is ready if the state of the queue admits it, the code host does not object, and,
 * in parallel mode, its impacted targets are known. Rules: E-18, E-19.
 */

import { move } from '../line/moves.ts'
import { notReadyInOrder, pendingInOrder } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { PullRequestNumber, QueueView } from '../model/state.ts'
import type { Step } from '../evolve/step.ts'

/** True if a pull request that has not entered the line may become PENDING. */
export function isReady(queue: QueueView, number: PullRequestNumber): boolean {
  return allows(queue.state, 'admits') && isEligible(queue, number)
}

/** True if the pull request is ready, apart from the state of the queue. */
function isEligible(queue: QueueView, number: PullRequestNumber): boolean {
  const isMergeable = queue.hostFacts[number]?.mergeable ?? true
  const hasTargets = queue.configuration.mode === 'single' || number in queue.impactedTargets
  return isMergeable && hasTargets
}

/**
 * After a change of one pull request: moves it to PENDING or NOT_READY if its readiness changed.
 */
export function reviewReadiness(step: Step, number: PullRequestNumber): void {
  const pullRequest = step.queue.pullRequests[number]
  if (pullRequest?.home.in !== 'order') return
  if (pullRequest.state === 'NOT_READY' && isReady(step.queue, number)) {
    move(step, number, 'PENDING', 'MERGE_ITEM_NOW_READY')
  } else if (pullRequest.state === 'PENDING' && !isEligible(step.queue, number)) {
    move(step, number, 'NOT_READY', null)
  }
}

/** After a change of the queue: reviews all waiting pull requests in order. */
export function reviewAllReadiness(step: Step): void {
  if (step.queue.configuration.mode === 'parallel') {
    const pending = [...pendingInOrder(step.queue)]
    for (const { number } of pending) reviewReadiness(step, number)
  }
  for (const { number } of notReadyInOrder(step.queue)) reviewReadiness(step, number)
}
