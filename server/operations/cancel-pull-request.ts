import type * as wire from '../contract/wire.ts'
import { done, withQueue, type Operation } from './operation.ts'

/** Cancels a pull request in the queue. */
export const cancelPullRequest: Operation<wire.PullRequestInQueue, wire.Nothing> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name }) => {
    const number = Number(body.pr.number)
    return done(
      context.manager.send(name, { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' }),
    )
  })
