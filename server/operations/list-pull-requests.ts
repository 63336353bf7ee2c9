import { enqueuedPullRequest } from '../views/pull-request.ts'
import type * as wire from '../wire.ts'
import type { YardQueue } from '../yard/yard-queue.ts'
import { answer, withQueue, type Operation } from './operation.ts'

const defaultTake = 50

/**
 * Who has left the queue, newest conclusion first. The cursor is the place in the order of
 * conclusions before which the next page goes on, so what concludes meanwhile shifts nothing.
 */
export const listPullRequests: Operation<wire.ListPullRequests, wire.PullRequestPage> = (
  context,
  body,
) =>
  withQueue(context, body, (queue) => {
    const { conclusions } = queue.history
    const { take = defaultTake, state } = body
    const since = body.since === undefined ? -Infinity : Date.parse(body.since)
    const from = Math.min(Number(body.cursor ?? conclusions.length), conclusions.length)
    const pullRequests: wire.EnqueuedPullRequest[] = []
    for (let place = from - 1; place >= 0; place--) {
      const concluded = concludedAt(queue, place)
      if (!concluded) continue
      if (concluded.stateChangedAt < since) break
      if (state !== undefined && concluded.state !== state) continue
      if (pullRequests.length === take)
        return answer({ pullRequests, nextCursor: String(place + 1) })
      pullRequests.push(enqueuedPullRequest(queue, concluded, context.stateCase))
    }
    return answer({ pullRequests })
  })

/** Who concluded at this place, if that was its latest conclusion and it has not come back since. */
function concludedAt({ engine, history }: YardQueue, place: number) {
  const number = history.conclusions[place] ?? 0
  const isLatest = history.pullRequests.get(number)?.concludedAs === place
  return isLatest ? engine.queue.pullRequests[number] : undefined
}
