import { isTerminal } from '../../engine/index.ts'
import { submittedPullRequest } from '../views/pull-request.ts'
import { priorityValue } from '../views/priority.ts'
import type * as wire from '../wire.ts'
import { answer, refuse, withQueue, type Operation } from './operation.ts'

/**
 * Submits a pull request, or rewrites the wishes of one that is in the queue already.
 * A priority of null asks for none: `medium`, which is the default of a new submission.
 */
export const submitPullRequest: Operation<wire.SubmitPullRequest, wire.SubmittedPullRequest> = (
  context,
  body,
) =>
  withQueue(context, body, (queue) => {
    const { pr, priority, noBatch } = body
    const number = Number(pr.number)
    const known = queue.engine.queue.pullRequests[number]
    const isNew = !known || isTerminal(known.state)
    const wished = isNew ? (priority ?? undefined) : priority === null ? 'medium' : priority
    const outcome = context.yard.send(queue.name, {
      type: 'submitPullRequest',
      number,
      ...(wished === undefined ? {} : { priority: priorityValue(wished) }),
      ...(noBatch === undefined ? {} : { noBatch }),
      ...(pr.sha === undefined ? {} : { sha: pr.sha }),
    })
    if (!outcome.accepted) return refuse(outcome.rejection)
    const pullRequest = queue.engine.queue.pullRequests[number]
    if (!pullRequest) throw new Error(`pull request ${number} was submitted and is not there`)
    return answer(submittedPullRequest(queue, pullRequest, context.stateCase))
  })
