/**
 * Ready = the queue admits, the code host does not object, and in parallel mode the impacted
 * targets are known. Source: spec "Pull request states".
 */

import { move } from '../line/moves.ts'
import { notReadyInOrder, pendingInOrder } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { PullRequestNumber, QueueView } from '../model/state.ts'
import type { Step } from '../step.ts'

/** Whether a pull request that is not in the line yet may be PENDING. */
export function isReady(queue: QueueView, number: PullRequestNumber): boolean {
  return allows(queue.state, 'admits') && isEligible(queue, number)
}

/** Ready as far as the pull request itself goes. */
function isEligible(queue: QueueView, number: PullRequestNumber): boolean {
  const isMergeable = queue.hostFacts[number]?.mergeable ?? true
  const hasTargets = queue.configuration.mode === 'single' || number in queue.impactedTargets
  return isMergeable && hasTargets
}

/** Something changed about one pull request: it may have become ready, or lost that. */
export function reviewReadiness(step: Step, number: PullRequestNumber): void {
  const pullRequest = step.queue.pullRequests[number]
  if (pullRequest?.home.in !== 'order') return
  if (pullRequest.state === 'NOT_READY' && isReady(step.queue, number)) {
    move(step, number, 'PENDING', 'MERGE_ITEM_NOW_READY')
  } else if (pullRequest.state === 'PENDING' && !isEligible(step.queue, number)) {
    move(step, number, 'NOT_READY', null)
  }
}

/** Something changed about the queue: everybody waiting is looked at again, in order. */
export function reviewEverybody(step: Step): void {
  if (step.queue.configuration.mode === 'parallel') {
    const pending = [...pendingInOrder(step.queue)]
    for (const { number } of pending) reviewReadiness(step, number)
  }
  if (!allows(step.queue.state, 'admits')) return
  for (const { number } of notReadyInOrder(step.queue)) reviewReadiness(step, number)
}
