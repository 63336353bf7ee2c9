import { submittedPullRequest, timelineOf } from '../views/pull-request.ts'
import type * as wire from '../wire.ts'
import { answer, refuse, withQueue, type Operation } from './operation.ts'

/** How it goes with a pull request that was submitted once, whether it is still there or not. */
export const getSubmittedPullRequest: Operation<
  wire.GetSubmittedPullRequest,
  wire.SubmittedPullRequest
> = (context, body) =>
  withQueue(context, body, (queue) => {
    const number = Number(body.pr.number)
    const pullRequest = queue.engine.queue.pullRequests[number]
    if (!pullRequest) return refuse({ code: 'never submitted', number })
    const view = submittedPullRequest(queue, pullRequest, context.stateCase)
    if (body.includeTimeline !== true) return answer(view)
    return answer({ ...view, timeline: timelineOf(queue, pullRequest, context.stateCase) })
  })
