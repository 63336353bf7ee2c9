import { endRun } from '../transitions/end-run.ts'
import type { Rule } from './rule.ts'

/**
 * A run that has been in progress for `testingTimeoutMinutes` is cancelled and counts as failed.
 */
export const expireRuns: Rule = (step) => {
  const { nextDeadline, testRuns } = step.queue
  if (nextDeadline === null || nextDeadline > step.at) return false
  const overdue = Object.values(testRuns).find((run) => run.deadline <= step.at)
  if (!overdue) return false
  endRun(step, overdue, { outcome: 'timed_out', failedTests: [] })
  return true
}
