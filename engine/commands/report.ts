/** Reports of the code host: facts about a pull request, and changes that bypassed the queue. */

import { departFromBisections } from '../bisection/member-departure.ts'
import { cancelStored, dropIfEmpty } from '../transitions/depart.ts'
import { moveTip, takePush } from '../line/landing.ts'
import { move } from '../line/moves.ts'
import { beingMerged } from '../model/merging.ts'
import { isNextToMerge } from '../model/predecessors.ts'
import { restartLine } from '../line/restart.ts'
import { isTerminal } from '../model/pull-request-state.ts'
import type { ReportManualMerge, ReportPullRequest, ReportPush } from '../protocol/commands.ts'
import { reviewDependents, reviewReadiness } from '../transitions/readiness.ts'
import type { Decide } from './decide.ts'

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
  reviewReadiness(step, number)
  return null
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
  const group = home.in === 'group' ? step.queue.groups[home.group] : undefined
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
