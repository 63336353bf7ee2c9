/**
 * Departures: a pull request leaves the queue without being merged by it, and the consequences.
 *
 * Rules: E-44, E-60, E-90, E-105, E-264, E-300.
 */

import type { CancelReason, DependencyReason, FailureReason } from '../model/pull-request.ts'
import type {
  Evidence,
  PullRequestNumber,
  TestRunId,
  BisectionView,
  QueueView,
} from '../model/state.ts'
import type { Step } from '../evolve/step.ts'
import { departFromBisections } from '../bisection/members.ts'
import { move, restartLineWithout } from '../line/moves.ts'
import { dependentsOf, hasLanded } from '../model/stack.ts'
import { testsTip } from '../model/policy.ts'
import { passedRunOn } from '../model/tip-test.ts'
import { compositionOf, type KnownFailure } from '../bisection/knowledge.ts'

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
): void {
  leave(step, number, 'PREREQUISITE_MERGE_ITEM_FAILED', () => {
    move(step, number, 'FAILED', reason, { testRun: evidence.failedIn, evidence })
  })
}

/**
 * Marks it as CANCELLED, and those that depend on it. Every group and bisection whose runs contain it
 * continues without it.
 */
export function cancel(step: Step, number: PullRequestNumber, reason: CancelReason): void {
  leave(step, number, 'PREREQUISITE_MERGE_ITEM_CANCELLED', () => {
    move(step, number, 'CANCELLED', reason)
  })
}

/** Those that depend on it leave before the others go on without it, so that none of them is tested again first. */
function leave(
  step: Step,
  number: PullRequestNumber,
  cause: DependencyReason,
  moveIt: () => void,
): void {
  const home = step.queue.pullRequests[number]?.home
  moveIt()
  cancelDependents(step, number, cause)
  if (home?.in === 'group') dropIfEmpty(step, home.group, cause)
  restartLineWithout(step, [number], cause)
  departFromBisections(step, number, cause)
}

/**
 * Those that depend on one that has left leave as well, directly or through others, the topmost first. The code host
 * merges none of them: what one depends on has landed before it, or lands in the same push. Rules: E-264, E-300.
 */
function cancelDependents(step: Step, number: PullRequestNumber, reason: DependencyReason): void {
  const { queue } = step
  // Most are in no stack.
  if (dependentsOf(queue, number).length === 0) return
  const leaving = new Set([number])
  for (const one of leaving) {
    if (hasLanded(queue, one)) continue
    for (const dependent of dependentsOf(queue, one)) {
      // Behind all that it depends on.
      leaving.delete(dependent)
      leaving.add(dependent)
    }
  }
  leaving.delete(number)
  for (const dependent of [...leaving].toReversed()) {
    leave(step, dependent, 'PREREQUISITE_MERGE_ITEM_CANCELLED', () => {
      move(step, dependent, 'CANCELLED', reason, { leftWith: number })
    })
  }
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

// Conviction: a member breaks the tests, is FAILED and leaves its bisection, and those that depend on it leave.
//
// Rules: E-21, E-73, E-74, E-264.

/** Fails the first open member, whose prefix is known to fail, with the evidence. */
export function convict(
  step: Step,
  bisection: BisectionView,
  number: PullRequestNumber,
  { verdict }: KnownFailure,
): void {
  const reason = verdict.ofBatch ? 'TEST_RUN_FAILED_BY_OPTIMIZATION' : verdict.reason
  const evidence = {
    failedIn: verdict.run.id,
    passedWithout: passedWithout(step.queue, bisection),
    failedTests: verdict.failedTests,
  }
  step.emit({ type: 'memberConvicted', bisection: bisection.id, number })
  move(step, number, 'FAILED', reason, { testRun: verdict.run.id, evidence })
  cancelDependents(step, number, 'PREREQUISITE_MERGE_ITEM_FAILED')
  // Another bisection may have proven it before and have runs on top of it.
  departFromBisections(step, number, 'PREREQUISITE_MERGE_ITEM_FAILED')
}

/** A run of the bisection, or of the branch by itself where it is tested. Rule: E-182. */
function passedWithout(queue: QueueView, bisection: BisectionView): TestRunId | null {
  const base = compositionOf(bisection, [])
  const without = bisection.verdicts[base]
  if (without?.outcome === 'passed') return without.run.id
  return testsTip(queue) ? passedRunOn(queue, base) : null
}
