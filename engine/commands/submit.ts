import { isReady } from '../transitions/readiness.ts'
import { isTerminal } from '../model/pull-request-state.ts'
import type { SubmitPullRequest } from '../protocol/commands.ts'
import type { Decide } from './decide.ts'

/** `medium`: the priority value of a submission that sets none. */
export const defaultPriority = 100

/**
 * Submits a pull request; never rejected. If it is in the queue already, the given options replace
 * the old ones in place, nothing restarts, and a cancel stored during its own merge is withdrawn.
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
