/**
 * Departures: a pull request leaves the queue without being merged by it, and the consequences.
 *
 * Rules: E-44, E-60, E-90, E-105, E-264, E-300.
 */

import type { CancelReason, DependencyReason, FailureReason } from '../model/pull-request-state.ts'
import type { Evidence, PullRequestNumber, TestRunId } from '../model/state.ts'
import type { Step } from '../evolve/step.ts'
import { departFromBisections } from '../bisection/member-departure.ts'
import { move } from '../line/moves.ts'
import { restartLineWithout } from '../line/restart.ts'
import { dependentsOf, hasLanded } from '../model/stack.ts'

/** Of a failure without a run: a text conflict, or a refused merge (E-21). */
export const noEvidence: Evidence = { failedIn: null, passedWithout: null, failedTests: [] }

/**
 * Marks the pull request as FAILED. Those that depend on it leave, and every group and bisection whose runs
 * contain it continues without it.
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
  cancelDependents(step, number, 'PREREQUISITE_MERGE_ITEM_FAILED')
  if (home?.in === 'group') dropIfEmpty(step, home.group, 'PREREQUISITE_MERGE_ITEM_FAILED')
  restartLineWithout(step, [number], 'PREREQUISITE_MERGE_ITEM_FAILED')
  departFromBisections(step, number, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/**
 * Marks it as CANCELLED, and those that depend on it. Every group and bisection whose runs contain it
 * continues without it.
 */
export function cancel(step: Step, number: PullRequestNumber, reason: CancelReason): void {
  cancelOne(step, number, reason)
  cancelDependents(step, number, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
}

/**
 * Those that depend on one that has left leave as well, directly or through others, the topmost first. The code host
 * merges none of them: what one depends on has landed before it, or lands in the same push. Rules: E-264, E-300.
 */
export function cancelDependents(
  step: Step,
  number: PullRequestNumber,
  reason: DependencyReason,
): void {
  const { queue } = step
  const leaving = new Set([number])
  for (const one of leaving) {
    if (hasLanded(queue, one)) continue
    for (const dependent of dependentsOf(queue, one)) leaving.add(dependent)
  }
  leaving.delete(number)
  for (const dependent of [...leaving].toReversed()) cancelOne(step, dependent, reason, number)
}

function cancelOne(
  step: Step,
  number: PullRequestNumber,
  reason: CancelReason | DependencyReason,
  leftWith?: PullRequestNumber,
): void {
  const home = step.queue.pullRequests[number]?.home
  move(step, number, 'CANCELLED', reason, leftWith === undefined ? {} : { leftWith })
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
    const { leavingFor = null } = step.queue.pullRequests[number] ?? {}
    if (leavingFor !== null) cancel(step, number, leavingFor)
  }
}

/** Removes a group without members from the line and cancels its run, if it has one. */
export function dropIfEmpty(
  step: Step,
  groupId: number,
  cause: DependencyReason | 'MANUAL_MERGE',
): void {
  const group = step.queue.groups[groupId]
  if (!group || group.members.length > 0) return
  if (group.phase.kind === 'testing') {
    step.emit({ type: 'testRunCancelled', testRun: group.phase.run.id, cause })
  }
  step.emit({ type: 'groupLeft', group: groupId })
}
