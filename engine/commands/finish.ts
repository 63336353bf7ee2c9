/** Answers: a test run's result, and a merge's. */

import { cancel, fail } from '../happenings/depart.ts'
import { land } from '../line/landing.ts'
import { restartGroup } from '../line/restart.ts'
import { endRun } from '../happenings/end-run.ts'
import { testKey } from '../model/tests.ts'
import type { FinishMerge, FinishTestRun } from '../protocol/commands.ts'
import type { Decide } from './decide.ts'

/** A result for a run that was cancelled, replaced or finished is ignored. */
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
 * The code host merged the pull request, or would not: then it FAILED, unless it had asked to
 * leave meanwhile, and those behind restart without it. One refused a direct merge is tested.
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
  else if (isDirect) restartGroup(step, group, 'TESTS_RESTARTED_BY_API_REQUEST')
  else fail(step, number, refused, { failedIn: null, passedWithout: null, failedTests: [] })
  return null
}
