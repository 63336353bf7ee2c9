/** Results from outside: of a test run, and of a merge. */

import type { Step, Decide } from '../evolve/step.ts'
import { land, takePush, restartGroup } from '../line/moves.ts'
import {
  beingMerged,
  isBeingMerged,
  isPushedToWhileMerging,
  groupWith,
} from '../model/predecessors.ts'
import type { MergeRefusal } from '../model/pull-request.ts'
import type { GroupView, PullRequestNumber } from '../model/state.ts'
import { testKey } from '../model/ids.ts'
import type { FinishMerge, FinishTestRun, Rejection } from '../protocol/commands.ts'
import { cancelStored, fail, noEvidence } from '../transitions/depart.ts'
import { endRun } from '../transitions/end-run.ts'

/** Ends the run. A result for a run that was cancelled, replaced or finished is rejected. */
export const finishTestRun: Decide<FinishTestRun> = (step, command) => {
  const run = step.queue.testRuns[command.testRun]
  if (!run) return { code: 'test run is over' }
  const { outcome, failedTests = [], flakyTests = [] } = command
  if (flakyTests.length > 0) {
    step.emit({ type: 'flakyTestsSeen', flakyTests: flakyTests.map(testKey) })
  }
  endRun(step, run, { outcome, failedTests })
  return null
}

/**
 * The code host merged pull requests or refused to. After a refusal the pull request is FAILED, or
 * CANCELLED if a cancel was stored during the merge, and the groups behind it restart without it. After
 * a refused direct merge the group is tested instead. That the target branch has moved is news of a push.
 *
 * Rules: E-42, E-44, E-46, E-208, E-219 to E-222.
 */
export const finishMerge: Decide<FinishMerge> = (step, { number, numbers = [number], refused }) => {
  const group = groupWith(step.queue, number)
  if (!group || !isBeingMerged(group, number)) return { code: 'no merge under way', number }
  if (refused === null) return landAll(step, group, numbers)
  refuse(step, group, number, refused)
  return null
}

/**
 * Merges the first of those that were requested, or all of them. One that has left meanwhile, by
 * hand, is passed over. The others are requested again, if none of them was cancelled.
 */
function landAll(
  step: Step,
  group: GroupView,
  numbers: readonly PullRequestNumber[],
): Rejection | null {
  const requested = beingMerged(group)
  const landed = numbers.filter((number) => requested.includes(number))
  const outOfOrder = landed.find((number, at) => number !== requested[at])
  if (outOfOrder !== undefined) return { code: 'no merge under way', number: outOfOrder }
  for (const number of landed) land(step, group, number)
  cancelStored(step, group.members)
  return null
}

function refuse(
  step: Step,
  group: GroupView,
  number: PullRequestNumber,
  reason: MergeRefusal,
): void {
  const isLeaving = step.queue.pullRequests[number]?.leavingFor !== null
  const isDirect = group.phase.kind === 'passed' && group.phase.run === null
  const isMoved = reason === 'TARGET_BRANCH_MOVED'
  const isNewPush = isMoved && !isPushedToWhileMerging(group)
  step.emit({ type: 'mergeRefused', group: group.id, number })
  if (!isLeaving && !isMoved && !isDirect) fail(step, number, reason, noEvidence)
  cancelStored(step, group.members)
  if (isNewPush) takePush(step)
  if (!step.queue.groups[group.id]) return
  // After a failure or a push the others restart already, so this does nothing.
  restartGroup(
    step,
    group,
    isMoved ? 'MANUAL_PUSH_TO_TARGET_BRANCH' : 'TESTS_RESTARTED_BY_API_REQUEST',
  )
}
