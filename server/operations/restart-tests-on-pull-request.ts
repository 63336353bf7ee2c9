import type * as wire from '../contract/wire.ts'
import { done, withQueue, type Operation } from './operation.ts'

/** Runs the tests of a pull request again, without a change of its position. */
export const restartTestsOnPullRequest: Operation<wire.PullRequestInQueue, wire.Nothing> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name }) => {
    const number = Number(body.pr.number)
    return done(context.manager.send(name, { type: 'restartTests', number }))
  })
