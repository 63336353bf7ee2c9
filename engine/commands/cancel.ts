import { cancel } from '../transitions/depart.ts'
import { isBeingMerged } from '../model/merging.ts'
import { groupWith } from '../model/predecessors.ts'
import { isTerminal } from '../model/pull-request-state.ts'
import type { CancelPullRequest } from '../protocol/commands.ts'
import type { Decide } from './decide.ts'

/**
 * Takes a pull request out of the queue. The rest of its group and every group whose run contained
 * it restart without it. A cancel during its own merge is stored; it takes effect only if the code
 * host refuses the merge.
 */
export const cancelPullRequest: Decide<CancelPullRequest> = (step, { number, reason }) => {
  const pullRequest = step.queue.pullRequests[number]
  if (!pullRequest || isTerminal(pullRequest.state)) return { code: 'not in queue', number }
  if (isBeingMerged(groupWith(step.queue, number), number)) {
    step.emit({ type: 'departureDeferred', number, reason })
  } else {
    cancel(step, number, reason)
  }
  return null
}
