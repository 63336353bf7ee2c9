import { land } from '../line/moves.ts'
import {
  findInPhase,
  groupsInPhase,
  hasPredecessor,
  sharesTargetWith,
} from '../model/predecessors.ts'
import { allows } from '../model/queue-state.ts'
import type { GroupView, QueueView, PullRequestNumber } from '../model/state.ts'
import type { Rule } from '../evolve/step.ts'
import { isFree } from '../batching/lanes.ts'
import { isPending } from '../model/pending-order.ts'
import { missingOf } from '../model/stack.ts'
import { handOver, mayMergeSurvivors } from '../bisection/members.ts'

/**
 * A group merges when it has passed and every group it depends on has merged: one pull request
 * after the other, in order, or all in one push of the code host. A group whose merging has begun finishes in every state of the queue.
 */
export const merge: Rule = (step) => {
  const group = findInPhase(step.queue, 'passed', mayMerge)
  const number = group?.members[0]
  if (!group || number === undefined) return false
  const { codeHost } = step.queue
  if (codeHost === 'merges at once') land(step, group, number)
  else {
    const numbers = codeHost === 'groups' ? { numbers: [...group.members] } : {}
    step.emit({ type: 'mergeRequested', group: group.id, number, ...numbers })
  }
  return true
}

function mayMerge(queue: QueueView, group: GroupView): boolean {
  const { phase } = group
  if (phase.kind !== 'passed' || phase.merging !== null) return false
  if (hasPredecessor(queue, group)) return false
  return (
    phase.begun ||
    (allows(queue.state, 'merges') && failuresBefore(queue, group).next().done === true)
  )
}

/**
 * Those whose failure is to be settled before the group may merge, which share a target with it. Without optimistic
 * merging a group does not merge past a bisection, or a failure ahead that has stepped aside: another one is a
 * predecessor. Members that a bisection has proven may merge, because they are part of its work. An urgent group may
 * merge, because it is ahead of the failure.
 */
export function* failuresBefore(
  queue: Pick<QueueView, 'configuration' | 'phases' | 'groups' | 'bisections'>,
  group: GroupView,
): Generator<readonly PullRequestNumber[]> {
  if (queue.configuration.canOptimisticallyMerge || group.urgent) return
  const { provenBy } = group
  const isAhead = (ahead: GroupView): boolean =>
    queue.configuration.mode === 'single'
      ? ahead.place < group.place
      : group.dependsOn.includes(ahead.id)
  for (const failed of groupsInPhase(queue, 'failed')) if (isAhead(failed)) yield failed.members
  for (const { id, open } of queue.bisections) {
    if (provenBy !== null && id >= provenBy) continue
    if (sharesTargetWith(queue, group, id)) yield open
  }
}

/**
 * Direct merge: a PENDING pull request that the code host reported green on the current tip merges
 * without a run if nothing ahead of it shares a target, including bisections.
 */
export const mergeDirectly: Rule = (step) => {
  const { queue } = step
  if (queue.configuration.directMergeMode !== 'always') return false
  if (!allows(queue.state, 'startsNew')) return false
  const number = queue.greenOnTip.find((green) => mayMergeDirectly(queue, green))
  if (number === undefined) return false
  step.emit({
    type: 'groupPlaced',
    group: queue.last.group + 1,
    members: [number],
    index: queue.line.length,
    cause: 'direct merge',
    bisection: null,
  })
  return true
}

function mayMergeDirectly(queue: QueueView, number: PullRequestNumber): boolean {
  const pullRequest = queue.pullRequests[number]
  if (!isPending(pullRequest) || missingOf(queue, number).length > 0) return false
  return isFree(queue, pullRequest)
}

/** Proven members of a bisection merge as soon as they are proven, if their proof still holds. */
export const mergeSurvivors: Rule = (step) => {
  for (const bisection of step.queue.bisections) {
    if (!mayMergeSurvivors(step.queue, bisection)) continue
    handOver(step, bisection)
    return true
  }
  return false
}
