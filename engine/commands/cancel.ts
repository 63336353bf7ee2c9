import { cancel } from '../happenings/depart.ts'
import { isTerminal } from '../model/pull-request-state.ts'
import type { CancelPullRequest } from '../protocol/commands.ts'
import type { Decide } from './decide.ts'

/**
 * Takes a pull request out; its group and everything whose run held it restart without it.
 * During its own merge the wish is kept, and counts only if the code host refuses the merge.
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
