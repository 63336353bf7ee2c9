/** Restarts of members of a bisection, over the API. */

import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { started } from '../testing/any-store.ts'

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
