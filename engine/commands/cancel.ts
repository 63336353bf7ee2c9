import { cancel } from '../transitions/depart.ts'
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
  const { home } = pullRequest
  const phase = home.in === 'group' ? step.queue.groups[home.group]?.phase : undefined
  if (phase?.kind === 'passed' && phase.merging === number) {
    step.emit({ type: 'departureDeferred', number, reason })
  } else {
    cancel(step, number, reason)
  }
  return null
}
