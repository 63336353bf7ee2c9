import type * as wire from '../contract/wire.ts'
import { given } from './given.ts'
import { done, withOwnHost, type Operation } from './operation.ts'

/** Keeps facts about a pull request, also before its submission. */
export const reportPullRequest: Operation<wire.ReportPullRequest, wire.Nothing> = (context, body) =>
  withOwnHost(context, body, ({ name }) => {
    const { pr, title, author, base, mergeable, greenOnTip, conflictsWith } = body
    return done(
      context.manager.send(name, {
        type: 'reportPullRequest',
        number: Number(pr.number),
        ...given({ title, author, base, mergeable, greenOnTip }),
        ...given({ conflictsWith: conflictsWith?.map(Number) }),
      }),
    )
  })
