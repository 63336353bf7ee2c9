import type { HostedQueue, HostStatus } from '../hosting/hosting.ts'
import type * as wire from '../contract/wire.ts'
import { answer, reject, withQueue, type LongOperation } from './operation.ts'

/** Returns what the server saw in the repository of a queue, and what is wrong there. */
export const getRepositoryStatus: LongOperation<wire.QueueRef, wire.RepositoryStatus> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name, ref }) => {
    const hosted = context.hosting.of(name)
    if (!hosted) return reject({ code: 'no repository', queue: ref })
    return {
      aside: async () => {
        const seen = await hosted.seen()
        return () =>
          'refused' in seen
            ? reject({ code: 'refused by the repository', refused: seen.refused })
            : answer(statusView(hosted, seen.value))
      },
    }
  })

function statusView(
  { testsItself }: HostedQueue,
  { url, lastLookAt, faults }: HostStatus,
): wire.RepositoryStatus {
  const at = lastLookAt === null ? null : new Date(lastLookAt).toISOString()
  return { url, testsItself, lastLookAt: at, faults: [...faults] }
}
