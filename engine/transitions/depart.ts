/**
 * Departures: a pull request leaves the queue without being merged by it, and the consequences.
 *
 * Rules: E-44, E-60, E-90, E-105.
 */

import type { CancelReason, FailureReason } from '../model/pull-request-state.ts'
import type { Evidence, PullRequestNumber, TestRunId } from '../model/state.ts'
import type { Step } from '../evolve/step.ts'
import { departFromBisections } from '../bisection/member-departure.ts'
import { move } from '../line/moves.ts'
import { restartLineWithout } from '../line/restart.ts'

/** Of a failure without a run: a text conflict, or a refused merge (E-21). */
export const noEvidence: Evidence = { failedIn: null, passedWithout: null, failedTests: [] }

/**
 * Marks the pull request as FAILED. Every group and bisection whose runs contain it continues
 * without it.
 */
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

/** Marks it as CANCELLED. Every group and bisection whose runs contain it continues without it. */
export function cancel(step: Step, number: PullRequestNumber, reason: CancelReason): void {
  const home = step.queue.pullRequests[number]?.home
  move(step, number, 'CANCELLED', reason)
  if (home?.in === 'group') dropIfEmpty(step, home.group, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  restartLineWithout(step, [number], 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  departFromBisections(step, number, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
}

/**
 * The code host is not merging these any more, and they have not merged: the cancels that were
 * stored meanwhile take effect. Rules: E-46, E-221.
 */
export function cancelStored(step: Step, numbers: readonly PullRequestNumber[]): void {
  for (const number of [...numbers]) {
    const reason = step.queue.pullRequests[number]?.leavingFor ?? null
    if (reason !== null) cancel(step, number, reason)
  }
}

/** Removes a group without members from the line and cancels its run, if it has one. */
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
