import type * as wire from '../wire.ts'
import { done, withQueue, type Operation } from './operation.ts'

/** Takes a pull request out of the queue. */
export const cancelPullRequest: Operation<wire.PullRequestInQueue, wire.Nothing> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name }) => {
    const number = Number(body.pr.number)
    return done(
      context.yard.send(name, { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' }),
    )
  })
