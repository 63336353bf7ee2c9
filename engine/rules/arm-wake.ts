import { earlier } from '../evolve/lookup.ts'
import { endOfWaitForOthers } from '../line/riding.ts'
import { allows } from '../model/queue-state.ts'
import type { Millis, QueueView } from '../model/state.ts'
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
  const due = [queue.nextDeadline, fillDeadline(queue), companyDeadline(queue, at)].reduce(earlier)
  if (due === null || (queue.wakeAt !== null && queue.wakeAt <= due)) return false
  step.emit({ type: 'wakeScheduled', wakeAt: due })
  return due <= at
}

/** While a slot is free, the end of the wait of survivors for others. */
function companyDeadline(queue: QueueView, at: Millis): Millis | null {
  const { slots, configuration, state } = queue
  if (slots.main >= configuration.concurrency || !allows(state, 'startsKnown')) return null
  const end = endOfWaitForOthers(queue)
  return end !== null && end > at ? end : null
}
