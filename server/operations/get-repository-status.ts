import type * as wire from '../contract/wire.ts'
import { answer, reject, withQueue, type Operation } from './operation.ts'

/** Returns what the server saw in the repository of a queue, and what is wrong there. */
export const getRepositoryStatus: Operation<wire.QueueRef, wire.RepositoryStatus> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name, ref }) => {
    const hosted = context.hosting.of(name)
    if (!hosted) return reject({ code: 'no repository', queue: ref })
    const { url, lastLookAt, faults } = hosted.status()
    const at = lastLookAt === null ? null : new Date(lastLookAt).toISOString()
    return answer({ url, testsItself: hosted.testsItself, lastLookAt: at, faults: [...faults] })
  })
