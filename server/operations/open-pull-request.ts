import type * as wire from '../contract/wire.ts'
import { answer, reject, withQueue, type LongOperation } from './operation.ts'

/** Makes a branch of a repository on which the server works a pull request. */
export const openPullRequest: LongOperation<wire.OpenPullRequest, wire.OpenedPullRequest> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name, ref }) => {
    const hosted = context.hosting.of(name)
    if (!hosted) return reject({ code: 'no repository', queue: ref })
    return {
      aside: async () => {
        const opened = await hosted.open(body.branch)
        return () =>
          'refused' in opened
            ? reject({ code: 'refused by the repository', refused: opened.refused })
            : answer({ pr: opened.value })
      },
    }
  })
