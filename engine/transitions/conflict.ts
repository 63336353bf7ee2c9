/**
 * Text conflicts: a pull request that cannot be on one branch with another leaves its batch, and
 * waits or is FAILED. Rules: E-66 to E-69, E-216.
 */

import type { Step } from '../evolve/step.ts'
import { move, restartLineWithout } from '../line/moves.ts'
import { orderKey } from '../model/pending-order.ts'
import type { GroupId, GroupView, PullRequestNumber, QueueView } from '../model/state.ts'
import { fail, noEvidence } from './depart.ts'

/**
 * Takes a member of a group that waits for a run out of its batch, if it is in one. If it conflicts
 * with the tip it is FAILED, else it waits until the other one merges or leaves.
 */
export function setApart(
  step: Step,
  group: GroupView,
  number: PullRequestNumber,
  conflict: 'tip' | PullRequestNumber,
): void {
  const apart = group.members.length > 1 ? splitOff(step, group, number) : group
  move(step, number, 'TESTING', null)
  if (conflict === 'tip') {
    fail(step, number, 'START_TEST_RUN_MERGE_CONFLICT', noEvidence)
    return
  }
  step.emit({ type: 'groupConflicted', group: apart.id, with: conflict })
  move(step, number, 'PENDING_FAILURE', null)
  // From now on the compositions behind it leave it out.
  restartLineWithout(step, [number], 'PREREQUISITE_MERGE_ITEM_FAILED')
}

function splitOff(step: Step, group: GroupView, number: PullRequestNumber): GroupView {
  const { queue } = step
  const into = queue.last.group + 1
  const index = indexBehind(queue, group, number)
  const members = [number]
  step.emit({ type: 'groupSplit', group: group.id, members, into, index, cause: 'conflict' })
  return queue.groups[into] ?? group
}

/**
 * A member that leaves its batch enters the line behind the batch, and behind those that left it
 * before and are ahead of it in the pending order. Rule: E-69.
 */
function indexBehind(queue: QueueView, batch: GroupView, number: PullRequestNumber): number {
  const { line, groups } = queue
  const origin = batch.partOf ?? batch.id
  const isAhead = (id: GroupId): boolean => {
    const part = groups[id]
    if (part?.partOf !== origin) return false
    const [first] = part.members
    return first !== undefined && isBefore(queue, first, number)
  }
  return Math.max(line.indexOf(batch.id), line.findLastIndex(isAhead)) + 1
}

/** True if the first one is ahead of the second one in the pending order. */
function isBefore(
  { pullRequests }: QueueView,
  first: PullRequestNumber,
  second: PullRequestNumber,
): boolean {
  const [ahead, behind] = [pullRequests[first], pullRequests[second]]
  return ahead !== undefined && behind !== undefined && orderKey(ahead) < orderKey(behind)
}
