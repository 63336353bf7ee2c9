import { groupsInLine, hasBegunToMerge, predecessors } from '../model/predecessors.ts'
import { restartOnTopOf } from '../line/moves.ts'
import { firstPending, urgentPriority } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import { missingOf } from '../model/stack.ts'
import type { GroupId, PullRequestNumber, QueueView } from '../model/state.ts'
import type { Step, Rule } from '../evolve/step.ts'

/**
 * An urgent pull request enters the line at the head at once and is tested alone. Every group that
 * depends on it restarts on top of it. Earlier urgent groups, groups whose merging has begun, and
 * the predecessors of these stay ahead.
 */
export const interruptForUrgent: Rule = (step) => {
  const urgent = firstPending(step.queue)
  if (urgent?.priority !== urgentPriority || !allows(step.queue.state, 'startsNew')) return false
  const index = headFor(step, urgent.number)
  const group = step.queue.last.group + 1
  const members = [urgent.number]
  step.emit({ type: 'groupPlaced', group, members, index, cause: 'urgent', bisection: null })
  restartOnTopOf(step, group, 'SKIP_THE_LINE_INTERRUPTED')
  return true
}

/**
 * Returns the index behind the groups that stay ahead. In parallel mode it first moves them to the
 * head.
 */
function headFor(step: Step, urgent: PullRequestNumber): number {
  const { queue } = step
  const staying = groupsStayingAhead(queue, urgent)
  let index = 0
  for (const id of [...queue.line]) {
    if (!staying.has(id)) continue
    if (queue.line[index] !== id) step.emit({ type: 'groupMoved', group: id, index })
    index++
  }
  return index
}

/**
 * Earlier urgent groups, groups whose merging has begun, and what the urgent one depends on, with the
 * predecessors of all of them.
 */
function groupsStayingAhead(queue: QueueView, urgent: PullRequestNumber): ReadonlySet<GroupId> {
  const staying = new Set<GroupId>()
  const below = missingOf(queue, urgent)
  for (const group of groupsInLine(queue)) {
    const isBelow = group.members.some((number) => below.includes(number))
    if (!group.urgent && !isBelow && !hasBegunToMerge(group)) continue
    for (const { id } of predecessors(queue, group)) staying.add(id)
    staying.add(group.id)
  }
  return staying
}
