import { submittedPullRequest, timelineOf } from '../views/pull-request.ts'
import type * as wire from '../contract/wire.ts'
import { answer, reject, withQueue, type Operation } from './operation.ts'

/** Returns a pull request that was ever submitted, also after it has left the queue. */
export const getSubmittedPullRequest: Operation<
  wire.GetSubmittedPullRequest,
  wire.SubmittedPullRequest
> = (context, body) =>
  withQueue(context, body, (queue) => {
    const number = Number(body.pr.number)
    const pullRequest = queue.engine.queue.pullRequests[number]
    if (!pullRequest) {
      const { forgottenUntil } = queue.history.conclusions.forgotten
      return reject({ code: 'never submitted', number, forgottenUntil })
    }
    const view = submittedPullRequest(queue, pullRequest, context.stateCase)
    if (body.includeTimeline !== true) return answer(view)
    return answer({ ...view, timeline: timelineOf(queue, pullRequest, context.stateCase) })
  })
