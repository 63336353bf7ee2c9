import { isFree } from '../batching/lanes.ts'
import { isPending } from '../model/pending-order.ts'
import { missingOf } from '../model/stack.ts'
import { allows } from '../model/queue-state.ts'
import type { PullRequestNumber, QueueView } from '../model/state.ts'
import type { Rule } from './rule.ts'

/**
 * Direct merge: a PENDING pull request that the code host reported green on the current tip merges
 * without a run if nothing ahead of it shares a target, including bisections.
 */
export const mergeDirectly: Rule = (step) => {
  const { queue } = step
  if (queue.configuration.directMergeMode !== 'always') return false
  if (!allows(queue.state, 'startsNew')) return false
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
  if (!pullRequest || !isPending(pullRequest) || missingOf(queue, number).length > 0) return false
  return isFree(queue, pullRequest)
}
