import { endRun } from '../transitions/end-run.ts'
import type { Rule } from '../evolve/step.ts'
import { earlier } from '../evolve/evolution.ts'
import { fillDeadline } from './start.ts'

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

/**
 * Requests a wake-up at the earliest instant at which something is due: a timeout, a retry, the end of
 * the longest wait for successors, or the end of the wait for a batch. Returns true only if that instant has come, because then a rule
 * before should have acted.
 */
export const armWake: Rule = (step) => {
  const { queue, at } = step
  if (queue.wakeAt !== null && queue.wakeAt <= at) step.emit({ type: 'woken' })
  const due = earlier(queue.nextDeadline, fillDeadline(queue))
  if (due === null || (queue.wakeAt !== null && queue.wakeAt <= due)) return false
  step.emit({ type: 'wakeScheduled', wakeAt: due })
  return due <= at
}
