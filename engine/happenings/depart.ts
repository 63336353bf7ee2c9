/**
 * A pull request leaves without being merged by the queue, and what follows from that.
 *
 * Source: spec "Cancel, push, direct push", "A run ends", "Bisection" (a member that leaves).
 */

import type { CancelReason, FailureReason } from '../model/pull-request-state.ts'
import type { Evidence, PullRequestNumber, TestRunId } from '../model/state.ts'
import type { Step } from '../step.ts'
import { departFromBisections } from '../bisection/member-departure.ts'
import { move } from '../line/moves.ts'
import { restartLineWithout } from '../line/restart.ts'

/** It FAILED: everybody who ran with it starts again without it. */
export function fail(
  step: Step,
  number: PullRequestNumber,
  reason: FailureReason,
  evidence: Evidence,
  testRun: TestRunId | null = evidence.failedIn,
): void {
  const home = step.queue.pullRequests[number]?.home
  move(step, number, 'FAILED', reason, { testRun, evidence })
  if (home?.in === 'group') dropIfEmpty(step, home.group, 'PREREQUISITE_MERGE_ITEM_FAILED')
  restartLineWithout(step, [number], 'PREREQUISITE_MERGE_ITEM_FAILED')
  departFromBisections(step, number, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** It was taken out: everybody who ran with it starts again without it. */
export function cancel(step: Step, number: PullRequestNumber, reason: CancelReason): void {
  const home = step.queue.pullRequests[number]?.home
  move(step, number, 'CANCELLED', reason)
  if (home?.in === 'group') dropIfEmpty(step, home.group, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  restartLineWithout(step, [number], 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  departFromBisections(step, number, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
}

/** A group without members leaves the line, and its run, if any, is of no use to anybody. */
export function dropIfEmpty(
  step: Step,
  groupId: number,
  cause: 'PREREQUISITE_MERGE_ITEM_FAILED' | 'PREREQUISITE_MERGE_ITEM_CANCELLED' | 'MANUAL_MERGE',
): void {
  const group = step.queue.groups[groupId]
  if (!group || group.members.length > 0) return
  if (group.phase.kind === 'testing') {
    step.emit({ type: 'testRunCancelled', testRun: group.phase.run.id, cause })
  }
  step.emit({ type: 'groupLeft', group: groupId })
}
