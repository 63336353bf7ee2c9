import type * as wire from '../contract/wire.ts'
import { answer, reject, withQueue, type LongOperation } from './operation.ts'

/** Makes a branch of a repository on which the server works a pull request. */
export const openPullRequest: LongOperation<wire.OpenPullRequest, wire.OpenedPullRequest> = (
  context,
  body,
) =>
  withQueue(context, body, async ({ name, ref }) => {
    const hosted = context.hosting.of(name)
    if (!hosted) return reject({ code: 'no repository', queue: ref })
    const opened = await hosted.open(body.branch)
    if ('refused' in opened) {
      return reject({ code: 'refused by the repository', refused: opened.refused })
    }
    return answer({ pr: opened.value })
  })
