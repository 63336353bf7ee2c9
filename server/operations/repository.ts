/** Operations that ask the repository of a queue on which the server works. */

import type { TestRunId } from '../../engine/index.ts'
import type { HostAnswer, HostedQueue, HostStatus } from '../hosting/hosting.ts'
import type * as wire from '../contract/wire.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import {
  answer,
  reject,
  unknownTestRun,
  withQueue,
  type Answer,
  type Aside,
  type Context,
  type LongOperation,
} from './operation.ts'

/** Asks the repository beside the other requests, and answers with what it said. */
function asked<Found, Ok extends object>(
  ask: () => Promise<HostAnswer<Found>>,
  answerWith: (found: Found) => Answer<Ok>,
): Aside<Ok> {
  return {
    aside: async () => {
      const said = await ask()
      return () =>
        'refused' in said
          ? reject({ code: 'refused by the repository', refused: said.refused })
          : answerWith(said.value)
    },
  }
}

/** Makes a branch of a repository on which the server works a pull request. */
export const openPullRequest: LongOperation<wire.OpenPullRequest, wire.OpenedPullRequest> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name, ref }) => {
    const hosted = context.hosting.of(name)
    if (!hosted) return reject({ code: 'no repository', queue: ref })
    return asked(
      () => hosted.open(body.branch),
      (pr) => answer({ pr }),
    )
  })

/** Returns what the server saw in the repository of a queue, and what is wrong there. */
export const getRepositoryStatus: LongOperation<wire.QueueRef, wire.RepositoryStatus> = (
  context,
  body,
) =>
  withQueue(context, body, ({ name, ref }) => {
    const hosted = context.hosting.of(name)
    if (!hosted) return reject({ code: 'no repository', queue: ref })
    return asked(
      () => hosted.seen(),
      (seen) => answer(statusView(hosted, seen)),
    )
  })

function statusView(
  { testsItself }: HostedQueue,
  { url, lastLookAt, faults }: HostStatus,
): wire.RepositoryStatus {
  const at = lastLookAt === null ? null : new Date(lastLookAt).toISOString()
  return { url, testsItself, lastLookAt: at, faults: [...faults] }
}

/** Returns the output of a run that the server has tested itself. */
export const getTestRunLog: LongOperation<wire.GetTestRunLog, wire.TestRunLog> = (context, body) =>
  withQueue(context, body, (queue) => {
    const { registry } = context.manager
    const { testRunId: testRun } = body
    const run = runNamed(context, queue, testRun)
    const past = run === null ? undefined : queue.history.testRuns.get(run)
    if (run === null || !past) return reject(unknownTestRun(registry, testRun))
    const hosted = context.hosting.of(queue.name)
    const none = reject({ code: 'no log', run, past })
    if (!hosted) return none
    return asked(
      () => hosted.logOf(run),
      (log) => (log ? answer(log) : none),
    )
  })

/** A run by its id, or by its number in the queue. */
function runNamed(
  { manager }: Pick<Context, 'manager'>,
  queue: ManagedQueue,
  named: string,
): TestRunId | null {
  if (/^[1-9]\d{0,9}$/.test(named)) return Number(named)
  const found = manager.registry.findTestRun(named)
  return found?.queue === queue ? found.run : null
}
