import { land } from '../line/landing.ts'
import { findInPhase, hasPredecessor, isBeside } from '../line/predecessors.ts'
import { allows } from '../model/queue-state.ts'
import type { GroupView, QueueView } from '../model/state.ts'
import type { Rule } from './rule.ts'

/**
 * A group merges when it passed and every group it depends on has merged: one pull request after
 * another, in order. One that has begun finishes, PAUSED or not.
 */
export const merge: Rule = (step) => {
  const group = findInPhase(step.queue, 'passed', mayMerge)
  const number = group?.members[0]
  if (!group || number === undefined) return false
  if (step.queue.codeHost === 'answers') {
    step.emit({ type: 'mergeRequested', group: group.id, number })
  } else {
    land(step, group, number)
  }
  return true
}

function mayMerge(queue: QueueView, group: GroupView): boolean {
  const { phase } = group
  if (phase.kind !== 'passed' || phase.merging !== null) return false
  if (hasPredecessor(queue, group)) return false
  return phase.begun || (allows(queue.state, 'merges') && !isBehindFailure(queue, group))
}

/**
 * Without optimistic merging nothing that shares a target merges past a failure that is being bisected. What
 * that bisection itself proved is part of its handling, and an urgent one is ahead, not behind.
 */
function isBehindFailure(queue: QueueView, group: GroupView): boolean {
  if (queue.configuration.canOptimisticallyMerge || group.urgent) return false
  const { provenBy } = group
  return queue.bisections.some(
    ({ id }) => (provenBy === null || id < provenBy) && isBeside(queue, group, id),
  )
}
