import { isReady } from '../rules/readiness.ts'
import { isTerminal } from '../model/pull-request-state.ts'
import type { SubmitPullRequest } from '../protocol/commands.ts'
import type { Decide } from './decide.ts'

/** `medium`: what a pull request gets when nobody asks for a priority. */
export const defaultPriority = 100

/**
 * A submission is always taken; where the pull request is in the queue already, what was given is
 * rewritten in place and nothing restarts. Asked to leave during its own merge, it stays after all.
 */
export const submit: Decide<SubmitPullRequest> = (step, { number, priority, noBatch }) => {
  const { queue } = step
  const known = queue.pullRequests[number]
  if (known && !isTerminal(known.state)) {
    step.emit({
      type: 'pullRequestRewritten',
      number,
      priority: priority ?? known.priority,
      priorityAsked: known.priorityAsked || priority !== undefined,
      noBatch: noBatch ?? known.noBatch,
    })
    return null
  }
  step.emit({
    type: 'pullRequestSubmitted',
    number,
    submission: queue.last.submission + 1,
    state: isReady(queue, number) ? 'PENDING' : 'NOT_READY',
    priority: priority ?? defaultPriority,
    priorityAsked: priority !== undefined,
    noBatch: noBatch ?? false,
  })
  return null
}
