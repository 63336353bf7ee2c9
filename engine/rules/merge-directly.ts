import { isFree } from '../batching/lanes.ts'
import { isPending } from '../model/pending-order.ts'
import { allows } from '../model/queue-state.ts'
import type { PullRequestNumber, QueueView } from '../model/state.ts'
import type { Rule } from './rule.ts'

/**
 * Direct merge: a ready pull request that the code host says is based on the tip and green, with
 * nothing ahead that shares a target (bisections included), merges without a run.
 */
export const mergeDirectly: Rule = (step) => {
  const { queue } = step
  if (queue.configuration.directMergeMode !== 'always') return false
  if (!allows(queue.state, 'startsNew') || !allows(queue.state, 'merges')) return false
  const number = queue.greenOnTip.find((green) => mayMerge(queue, green))
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

function mayMerge(queue: QueueView, number: PullRequestNumber): boolean {
  const pullRequest = queue.pullRequests[number]
  return pullRequest !== undefined && isPending(pullRequest) && isFree(queue, pullRequest)
}
