import { restartOnTopOf } from '../line/restart.ts'
import { firstPending, urgentPriority } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { GroupView, QueueView } from '../model/state.ts'
import type { Step } from '../step.ts'
import type { Rule } from './rule.ts'

/**
 * An urgent pull request goes to the head of the line at once, alone; every group that depends on
 * it restarts on top of it. Only earlier urgents, and a group whose merging has begun, stay ahead.
 */
export const interruptForUrgent: Rule = (step) => {
  const urgent = firstPending(step.queue)
  if (urgent?.priority !== urgentPriority || !allows(step.queue.state, 'startsNew')) return false
  const index = headFor(step)
  const group = step.queue.last.group + 1
  const members = [urgent.number]
  step.emit({ type: 'groupPlaced', group, members, index, cause: 'urgent', bisection: null })
  restartOnTopOf(step, group, 'SKIP_THE_LINE_INTERRUPTED')
  return true
}

/** Behind those that stay ahead, which nothing is ahead of, so that they may be moved to the head. */
function headFor(step: Step): number {
  const { queue } = step
  let index = 0
  for (const id of [...queue.line]) {
    if (!staysAhead(queue, id)) continue
    if (queue.line[index] !== id) step.emit({ type: 'groupAdvanced', group: id, index })
    index++
  }
  return index
}

function staysAhead(queue: QueueView, id: number): boolean {
  const group: GroupView | undefined = queue.groups[id]
  if (!group) return false
  const { phase, urgent } = group
  return urgent || (phase.kind === 'passed' && (phase.begun || phase.merging !== null))
}
