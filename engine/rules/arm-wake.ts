import { earlier } from '../evolve/lookup.ts'
import type { Rule } from './rule.ts'
import { fillDeadline } from './form-group.ts'

/**
 * The engine asks to be woken when the next thing falls due: a timeout, a retry, a full wait. That
 * is nothing to the rules before, unless it is due by now: then they should have done it.
 */
export const armWake: Rule = (step) => {
  const { queue, at } = step
  if (queue.wakeAt !== null && queue.wakeAt <= at) step.emit({ type: 'woken' })
  const due = earlier(queue.nextDeadline, fillDeadline(queue))
  if (due === null || (queue.wakeAt !== null && queue.wakeAt <= due)) return false
  step.emit({ type: 'wakeScheduled', wakeAt: due })
  return due <= at
}
