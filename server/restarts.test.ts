/** Random sequences of calls and server restarts: a server that comes back shows what it showed before. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shop } from './testing/client.ts'
import { start, temporaryFolder, type TestServer } from './testing/any-store.ts'
import type * as wire from './contract/wire.ts'

const pr = fc.record({ number: fc.integer({ min: 1, max: 6 }) })
const priority = fc.constantFrom(10, 100, 150, 200)
const state = fc.constantFrom('PAUSED', 'RUNNING')
const outcome = fc.constantFrom('passed', 'failed')

const call = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('submitPullRequest'), fc.record({ pr, priority })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('cancelPullRequest'), fc.record({ pr })) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('restartTestsOnPullRequest'), fc.record({ pr })) },
  { weight: 5, arbitrary: fc.tuple(fc.constant('reportTestRun'), fc.record({ outcome })) },
  fc.tuple(fc.constant('updateQueue'), fc.record({ state })),
  fc.constant(['restart', {}] as const),
)

/** The pull requests in the queue and those that have left, each in its order, and the runs in progress. */
async function shownBy({ client }: TestServer, queue: wire.QueueRef) {
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', queue)
  const { pullRequests } = await client.ok<wire.PullRequestPage>('listPullRequests', queue)
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', queue)
  return { enqueuedPullRequests, pullRequests, testRuns }
}

test('after any sequence of calls, a restarted server shows the same', async () => {
  let server = await start(temporaryFolder())
  let round = 0
  const restart = async (queue: wire.QueueRef): Promise<void> => {
    const before = await shownBy(server, queue)
    await server.stop()
    server = await start(server.data)
    expect(await shownBy(server, queue)).toEqual(before)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 10, maxLength: 40 }), async (calls) => {
      const queue = { repo: shop, targetBranch: `round-${++round}` }
      await server.client.ok('createQueue', { ...queue, concurrency: 1 })
      for (const [operation, body] of calls) {
        if (operation === 'restart') await restart(queue)
        else if (operation !== 'reportTestRun')
          await server.client.call(operation, { ...queue, ...body })
        else
          for (const { testRunId } of (await shownBy(server, queue)).testRuns)
            await server.client.ok(operation, { testRunId, ...body })
      }
      await restart(queue)
    }),
    { numRuns: 8 },
  )
  await server.stop()
})
