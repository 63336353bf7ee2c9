import { earlier } from '../evolve/lookup.ts'
import type { Rule } from './rule.ts'
import { fillDeadline } from './form-group.ts'

/**
 * Requests a wake-up at the earliest instant at which something is due: a timeout, a retry, the end of
 * the longest wait for successors, or the end of the wait for a batch. Returns true only if that instant has come, because then a rule
 * before should have acted.
 */
export const armWake: Rule = (step) => {
  const { queue, at } = step
  if (queue.wakeAt !== null && queue.wakeAt <= at) step.emit({ type: 'woken' })
  const due = [queue.nextDeadline, fillDeadline(queue)].reduce(earlier)
  if (due === null || (queue.wakeAt !== null && queue.wakeAt <= due)) return false
  step.emit({ type: 'wakeScheduled', wakeAt: due })
  return due <= at
}
