/** Operations that show pull requests. */

import { enqueuedPullRequest, submittedPullRequest, timelineOf } from '../views/pull-request.ts'
import { explained } from '../views/why.ts'
import type * as wire from '../contract/wire.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
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
    const { includeTimeline, includeWhy } = body
    if (includeTimeline === true) view.timeline = timelineOf(queue, pullRequest, context.stateCase)
    if (includeWhy === true) view.why = explained(queue, pullRequest, context.stateCase)
    return answer(view)
  })

const defaultTake = 50

/**
 * Lists the pull requests that have left the queue, newest conclusion first. The cursor is an index
 * in the list of conclusions; the next page starts before it. So conclusions between two requests
 * do not shift the pages.
 */
export const listPullRequests: Operation<wire.ListPullRequests, wire.PullRequestPage> = (
  context,
  body,
) =>
  withQueue(context, body, (queue) => {
    const { conclusions } = queue.history
    const { take = defaultTake, state } = body
    const since = body.since === undefined ? -Infinity : Date.parse(body.since)
    const from = Math.min(Number(body.cursor ?? conclusions.end), conclusions.end)
    const pullRequests: wire.EnqueuedPullRequest[] = []
    for (let position = from - 1; position >= conclusions.forgotten.first; position--) {
      const concluded = concludedAt(queue, position)
      if (!concluded) continue
      if (concluded.stateChangedAt < since) break
      if (state !== undefined && concluded.state !== state) continue
      if (pullRequests.length === take)
        return answer({ pullRequests, nextCursor: String(position + 1) })
      pullRequests.push(enqueuedPullRequest(queue, concluded, context.stateCase))
    }
    return answer({ pullRequests })
  })

/** The pull request whose latest conclusion has this index; undefined if it came back since. */
function concludedAt({ engine, history }: ManagedQueue, position: number) {
  const number = history.conclusions.at(position) ?? 0
  const isLatest = history.pullRequests.get(number)?.concludedAs === position
  return isLatest ? engine.queue.pullRequests[number] : undefined
}
