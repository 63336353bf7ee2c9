import { isTerminal } from '../../engine/index.ts'
import { submittedPullRequest } from '../views/pull-request.ts'
import { priorityValue } from '../views/priority.ts'
import type * as wire from '../contract/wire.ts'
import { answer, reject, withQueue, type Operation } from './operation.ts'

/**
 * Submits a pull request, or changes the options of one that is in the queue already. A priority of
 * null means `medium`, which is also the default of a new submission.
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
    const requestedPriority = isNew
      ? (priority ?? undefined)
      : priority === null
        ? 'medium'
        : priority
    const outcome = context.manager.send(queue.name, {
      type: 'submitPullRequest',
      number,
      ...(requestedPriority === undefined ? {} : { priority: priorityValue(requestedPriority) }),
      ...(noBatch === undefined ? {} : { noBatch }),
      ...(pr.sha === undefined ? {} : { sha: pr.sha }),
    })
    if (!outcome.accepted) return reject(outcome.rejection)
    const pullRequest = queue.engine.queue.pullRequests[number]
    if (!pullRequest) throw new Error(`pull request ${number} was submitted but is missing`)
    return answer(submittedPullRequest(queue, pullRequest, context.stateCase))
  })
