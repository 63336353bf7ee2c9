/** Results from outside: of a test run, and of a merge. */

import { cancel, fail } from '../transitions/depart.ts'
import { land } from '../line/landing.ts'
import { restartGroup } from '../line/restart.ts'
import { endRun } from '../transitions/end-run.ts'
import { testKey } from '../model/tests.ts'
import type { FinishMerge, FinishTestRun } from '../protocol/commands.ts'
import type { Decide } from './decide.ts'

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
 * The code host merged the pull request or refused to. After a refusal the pull request is FAILED,
 * or CANCELLED if a cancel was stored during the merge, and the groups behind it restart without
 * it. If the target branch has moved, or after a refused direct merge, it is tested instead.
 *
 * Rules: E-42, E-44, E-46, E-208.
 */
export const finishMerge: Decide<FinishMerge> = (step, { number, refused }) => {
  const home = step.queue.pullRequests[number]?.home
  const group = home?.in === 'group' ? step.queue.groups[home.group] : undefined
  if (group?.phase.kind !== 'passed' || group.phase.merging !== number) {
    return { code: 'no merge under way', number }
  }
  if (refused === null) {
    land(step, group, number)
    return null
  }
  const leavingFor = step.queue.pullRequests[number]?.leavingFor ?? null
  const isDirect = group.phase.run === null
  step.emit({ type: 'mergeRefused', group: group.id, number })
  if (leavingFor !== null) cancel(step, number, leavingFor)
  else if (refused === 'TARGET_BRANCH_MOVED') {
    restartGroup(step, group, 'MANUAL_PUSH_TO_TARGET_BRANCH')
  } else if (isDirect) restartGroup(step, group, 'TESTS_RESTARTED_BY_API_REQUEST')
  else fail(step, number, refused, { failedIn: null, passedWithout: null, failedTests: [] })
  return null
}
