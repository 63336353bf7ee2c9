/** The sentences of the interface document about batches, over HTTP. */

import { expect, test } from 'vitest'
import type * as wire from './contract/wire.ts'
import { main } from './testing/client.ts'
import { startedWith, type TestServer, started } from './testing/any-store.ts'

/** The runs in progress: `1 > 2 3` tests 2 and 3 on top of 1. */
async function runsOf({ client }: TestServer): Promise<ReadonlyMap<string, string>> {
  return new Map(
    (await client.runs()).map(({ testRunId, isBisection, dependentPrs, testedPullRequests }) => {
      const tested = testedPullRequests.map(({ prNumber }) => prNumber)
      const words = [...(isBisection ? ['bisect'] : []), ...dependentPrs, '>', ...tested]
      return [words.join(' '), testRunId]
    }),
  )
}

async function report(server: TestServer, run: string, outcome: string): Promise<void> {
  const testRunId = (await runsOf(server)).get(run)
  if (testRunId === undefined) throw new Error(`no run ${run} is in progress`)
  await server.client.ok('reportTestRun', { testRunId, outcome })
}

async function statesOf({ client }: TestServer, ...numbers: number[]): Promise<string[]> {
  const states: string[] = []
  for (const number of numbers) states.push((await client.pull(number)).state)
  return states
}

// E-29, A-31, A-33
test('a queue is made without batches; 5 minutes and 4 pull requests are the starting values', async () => {
  const { client } = await startedWith({})
  const inForce = { batch: false, batchingMaxWaitTimeMinutes: 5, batchingMinSize: 4 }
  expect(await client.ok('getQueue', main)).toMatchObject(inForce)
  expect(await client.ok('updateQueue', { ...main, batch: true, concurrency: 7 })).toMatchObject({
    ...inForce,
    batch: true,
    bisectionConcurrency: 7,
  })
})

// E-43
test('if a batch passes, all its pull requests merge, in order', async () => {
  const server = await startedWith({ batch: true, batchingMinSize: 3 })
  for (const number of [1, 2, 3]) await server.client.submit(number)
  await report(server, '> 1 2 3', 'passed')
  const { pullRequests } = await server.client.ok<wire.PullRequestPage>('listPullRequests', main)
  expect(pullRequests.map(({ prNumber, state }) => `${prNumber} ${state}`)).toEqual([
    '3 MERGED',
    '2 MERGED',
    '1 MERGED',
  ])
})

// E-32
test('a noBatch pull request is tested by itself, and the others batch as before', async () => {
  const server = await startedWith({ batch: true, batchingMinSize: 2 })
  await server.client.submit(1)
  await server.client.submit(2)
  await server.client.submit(3, { noBatch: true })
  await server.client.submit(4)
  await server.client.submit(5)
  expect([...(await runsOf(server)).keys()]).toEqual(['> 1 2', '1 2 > 3', '1 2 3 > 4 5'])
})

// E-54, E-56, E-70
test('a failed batch is held while the run of its successor completes, and bisected then', async () => {
  const server = await startedWith({ batch: true, batchingMinSize: 2, pendingFailureDepth: 1 })
  for (const number of [1, 2, 3, 4]) await server.client.submit(number)
  await report(server, '> 1 2', 'failed')
  expect(await statesOf(server, 1, 2, 3)).toEqual(['PENDING_FAILURE', 'PENDING_FAILURE', 'TESTING'])
  expect([...(await runsOf(server)).keys()]).toEqual(['1 2 > 3 4'])
  await report(server, '1 2 > 3 4', 'failed')
  expect(await statesOf(server, 1, 2)).not.toContain('PENDING_FAILURE')
  expect([...(await runsOf(server)).keys()]).toContain('> 3 4')
  expect([...(await runsOf(server)).keys()].some((run) => run.startsWith('bisect'))).toBe(true)
})

// E-70, E-73, E-78
test.each(['off', 'bisection_skip_redundant_tests'])(
  'a failed batch is split until the culprit is found; with optimizationMode %s results are reused',
  async (optimizationMode) => {
    const settings = { batch: true, batchingMinSize: 4, bisectionConcurrency: 1 }
    const server = await startedWith({ ...settings, optimizationMode })
    for (const number of [1, 2, 3, 4]) await server.client.submit(number)
    await report(server, '> 1 2 3 4', 'failed')
    for (let run = await firstOf(server); run !== undefined; run = await firstOf(server)) {
      await report(server, run, run.split(' ').includes('3') ? 'failed' : 'passed')
    }
    expect(await statesOf(server, 1, 2, 3, 4)).toEqual(['MERGED', 'MERGED', 'FAILED', 'MERGED'])
    const { text } = await server.client.get('getMergeQueueMetrics', '/v1/getMergeQueueMetrics')
    const saved = /^mq_test_runs_saved_total\{.*queue_type="bisection"\} (\d+)$/m.exec(text)?.[1]
    expect(Number(saved)).toBeGreaterThan(0)
  },
)

async function firstOf(server: TestServer): Promise<string | undefined> {
  return [...(await runsOf(server)).keys()][0]
}

// Restarts of members of a bisection, over the API.

const withNumber = (number: number): object => ({ ...main, pr: { number } })

// E-84, E-122
test('a restart of a member of a bisection is accepted and leaves an entry in the timeline', async () => {
  const { client } = await started()
  const runOf = async () => (await client.runs())[0]
  const timelineOf = async (number: number) =>
    (await client.pull(number, { includeTimeline: true })).timeline ?? []
  const settings = { batch: true, batchingMinSize: 2, bisectionConcurrency: 1 }
  await client.ok('createQueue', { ...main, ...settings })
  for (const number of [1, 2]) await client.submit(number)
  await client.report('failed')
  const before = await runOf()
  expect(before).toMatchObject({ testedPullRequests: [{ prNumber: 1 }] })
  await client.ok('restartTestsOnPullRequest', withNumber(2))
  expect((await runOf())?.testRunId).toBe(before?.testRunId)
  await client.ok('restartTestsOnPullRequest', withNumber(1))
  expect((await runOf())?.testRunId).not.toBe(before?.testRunId)
  const entry = { state: 'TESTING', reason: 'TESTS_RESTARTED_BY_API_REQUEST' }
  expect((await timelineOf(2))[0]).toMatchObject(entry)
  expect(await timelineOf(1)).toContainEqual(expect.objectContaining(entry))
})
