/** Reports of the code host: facts about a pull request, and changes that bypassed the queue. */

import { departFromBisections } from '../bisection/members.ts'
import { cancelStored, dropIfEmpty, fail, noEvidence } from '../transitions/depart.ts'
import { moveTip, takePush, move, restartLine, restartGroup } from '../line/moves.ts'
import {
  beingMerged,
  groupsInPhase,
  isBeingMerged,
  isNextToMerge,
  groupWith,
  holds,
} from '../model/predecessors.ts'
import { isTerminal } from '../model/pull-request.ts'
import { isInQueue } from '../model/stack.ts'
import type {
  ReportManualMerge,
  ReportPullRequest,
  ReportPush,
  ReportUnbuildable,
  Rejection,
} from '../protocol/commands.ts'
import { reviewDependents, reviewReadiness } from '../transitions/readiness.ts'
import type { Decide, Step } from '../evolve/step.ts'
import { matters } from '../bisection/knowledge.ts'
import type { PullRequestNumber, QueueView, TestRun } from '../model/state.ts'
import { setApart } from '../transitions/start-run.ts'

/**
 * Stores facts about a pull request, also before its submission. They may change its readiness, and
 * whether it can be tested or merged directly.
 */
export const reportPullRequest: Decide<ReportPullRequest> = (step, command) => {
  const { number, mergeable, greenOnTip, conflictsWith } = command
  step.emit({
    type: 'pullRequestReported',
    number,
    ...(mergeable === undefined ? {} : { mergeable }),
    ...(greenOnTip === undefined ? {} : { greenOnTip }),
    ...(conflictsWith === undefined ? {} : { conflictsWith }),
  })
  if (conflictsWith?.length === 0) endConflicts(step, number)
  reviewReadiness(step, number)
  return null
}

/** Who waits because of a text conflict with it, or it itself, is tested. Rule: E-68. */
function endConflicts(step: Step, number: PullRequestNumber): void {
  for (const group of groupsInPhase(step.queue, 'conflicted')) {
    const { phase, members } = group
    if (phase.kind !== 'conflicted' || !phase.asText) continue
    if (members.includes(number) || phase.with === number) {
      restartGroup(step, group, 'MERGE_ITEM_NOW_READY')
    }
  }
}

/** A push to the target branch from outside. */
export const reportPush: Decide<ReportPush> = (step) => {
  takePush(step)
  return null
}

/**
 * A person merged the pull request on the code host. For all other groups this is a push from
 * outside, unless the pull request was the very next to merge: then every run behind it contains
 * exactly what is on the branch now.
 */
export const reportManualMerge: Decide<ReportManualMerge> = (step, { number }) => {
  const pullRequest = step.queue.pullRequests[number]
  if (!pullRequest || isTerminal(pullRequest.state)) return { code: 'not in queue', number }
  const { home } = pullRequest
  const group = groupWith(step.queue, number)
  const isNext = isNextToMerge(step.queue, group, number)
  moveTip(step, number)
  move(step, number, 'MERGED', 'MANUAL_MERGE')
  if (home.in === 'group') dropIfEmpty(step, home.group, 'MANUAL_MERGE')
  if (group && beingMerged(group).length === 0) cancelStored(step, group.members)
  departFromBisections(step, number, 'PREREQUISITE_MERGE_ITEM_CANCELLED')
  reviewDependents(step, number)
  if (!isNext) restartLine(step, 'MANUAL_PUSH_TO_TARGET_BRANCH')
  return null
}

/**
 * The composition of the run does not exist, so the run ends without a verdict, and with it every run
 * that holds the same pull request. What is tested next is another composition, so the same report does
 * not come again by itself. What was found is not kept: a later submission has other content.
 *
 * Rules: E-215 to E-218.
 */
export const reportUnbuildable: Decide<ReportUnbuildable> = (step, command) => {
  const { testRun, number, conflictsWith } = command
  const { queue } = step
  const run = queue.testRuns[testRun]
  if (!run) return { code: 'test run is over' }
  const contradiction = contradictionIn(run, number, conflictsWith)
  if (contradiction) return contradiction
  if (!isAwaited(queue, run)) {
    step.emit({ type: 'testRunCancelled', testRun, cause: 'PREREQUISITE_MERGE_ITEM_FAILED' })
    return null
  }
  if (!isInQueue(queue, number) || !holds(queue, run, number))
    return { code: 'not in queue', number }
  if (isBeingMerged(groupWith(queue, number), number)) return { code: 'merge under way', number }
  const isFinal = run.owner.kind === 'bisection' || isOnBranch(queue, conflictsWith)
  separate(step, number, isFinal ? 'tip' : conflictsWith)
  return null
}

/** The run must hold both, the one that conflicts on top of the other. */
function contradictionIn(
  { base, tested }: TestRun,
  number: PullRequestNumber,
  conflictsWith: PullRequestNumber | 'tip',
): Rejection | null {
  const contents = [...base, ...tested]
  const at = contents.indexOf(number)
  if (at === -1) return { code: 'not in the test run', number }
  if (conflictsWith === 'tip') return null
  const below = contents.indexOf(conflictsWith)
  const isBelow = below !== -1 && below < at
  return isBelow ? null : { code: 'not in the test run', number: conflictsWith }
}

/** A bisection run that cannot change what is known any more only ends (E-85). */
function isAwaited({ bisections }: QueueView, run: TestRun): boolean {
  const { owner } = run
  if (owner.kind !== 'bisection') return true
  const bisection = bisections.find(({ id }) => id === owner.bisection)
  return bisection !== undefined && matters(bisection, run)
}

/** Since the run began, the other one may have merged. */
function isOnBranch({ pullRequests }: QueueView, other: PullRequestNumber | 'tip'): boolean {
  return other === 'tip' || pullRequests[other]?.state === 'MERGED'
}

/** Its group is not tested with it again, and nobody is tested on top of it. */
function separate(step: Step, number: PullRequestNumber, from: PullRequestNumber | 'tip'): void {
  const group = groupWith(step.queue, number)
  if (!group) {
    fail(step, number, 'START_TEST_RUN_MERGE_CONFLICT', noEvidence)
    return
  }
  restartGroup(step, group, 'PREREQUISITE_MERGE_ITEM_FAILED')
  // It may be in another group by now, behind a member that is being merged.
  const own = groupWith(step.queue, number)
  if (own) setApart(step, own, number, from)
}
