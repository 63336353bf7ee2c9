/**
 * What follows when the branch was tested by itself: the queue stops, and what the branch has made fail is
 * tested again.
 *
 * Rules: E-232 to E-234.
 */

import { awaitsTip, compositionOf } from '../bisection/knowledge.ts'
import { returnToLine } from '../bisection/members.ts'
import { restartGroup } from '../line/moves.ts'
import { groupsInPhase } from '../model/predecessors.ts'
import type { RunFailureReason } from '../model/pull-request.ts'
import type { BisectionView, Millis, TestName, TestRun, TestRunId } from '../model/state.ts'
import { failureOfTip } from '../model/tip-test.ts'
import type { Step } from '../evolve/step.ts'

const minuteMs = 60_000

/** The longest wait before a tip that failed is tested again. */
const longestWaitMinutes = 60

/** The tip has passed. If it had failed, every failure that stands may be that of the branch. */
export function tipHasPassed(
  step: Step,
  testRun: TestRunId,
  tip: number,
  leansOn: readonly string[] = [],
): void {
  const wasStopped = failureOfTip(step.queue) !== null
  const leaning = leansOn.length > 0 ? { leansOn } : {}
  step.emit({ type: 'tipTested', testRun, tip, failure: null, ...leaning })
  if (!wasStopped || failureOfTip(step.queue)) return
  for (const group of groupsInPhase(step.queue, 'failed')) {
    restartGroup(step, group, 'TARGET_BRANCH_FAILED')
  }
}

/** The tip has failed. A bisection on it has searched for a culprit that does not exist, so it ends. */
export function tipHasFailed(
  step: Step,
  { id: testRun, tip, composition }: TestRun,
  reason: RunFailureReason,
  failedTests: readonly TestName[],
): void {
  const notBefore = nextTest(step)
  step.emit({ type: 'tipTested', testRun, tip, failure: { reason, failedTests, notBefore } })
  for (const bisection of [...step.queue.bisections]) {
    const isOnTip = compositionOf(bisection, []) === composition
    const isForTip = bisection.composition === composition && awaitsTip(step.queue, bisection)
    if (isOnTip || isForTip) giveUp(step, bisection)
  }
}

/** The first repetition comes after a minute, and each after twice the wait of the one before. */
function nextTest({ queue, at }: Step): Millis {
  const times = queue.tipTest?.failure?.times ?? 0
  return at + Math.min(2 ** times, longestWaitMinutes) * minuteMs
}

/** Nothing is known of its open members: they are tested again on the tip, with those that it has proven. */
function giveUp(step: Step, bisection: BisectionView): void {
  for (const testRun of [...bisection.underWay]) {
    step.emit({ type: 'testRunCancelled', testRun, cause: 'TARGET_BRANCH_FAILED' })
  }
  const members = [...bisection.proven, ...bisection.open]
  step.emit({ type: 'bisectionEnded', bisection: bisection.id, flake: false })
  returnToLine(step, members, 'TARGET_BRANCH_FAILED')
}
