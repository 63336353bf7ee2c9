import type * as wire from '../wire.ts'
import { done, withQueue, type Operation } from './operation.ts'

/** Runs the tests of a pull request again, in place. */
export const restartTestsOnPullRequest: Operation<wire.PullRequestInQueue, wire.Nothing> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name }) => {
    const number = Number(body.pr.number)
    return done(context.yard.send(name, { type: 'restartTests', number }))
  })
