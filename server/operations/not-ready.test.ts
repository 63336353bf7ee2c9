/** A pull request that is NOT_READY says why, wherever it is shown. */

import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { startedWith, type TestServer } from '../testing/test-server.ts'
import type * as wire from '../contract/wire.ts'

const pr = { number: 7 }
const queueName = 'github.com/acme/shop:main'

/** The reasons that the status of pull request 7 gives. */
const reasonsIn = async ({ client }: TestServer): Promise<readonly string[] | undefined> =>
  (await client.pull(7)).notReadyReasons

//
test('a submission to a PAUSED queue answers why it is NOT_READY, and so do the reads', async () => {
  const server = await startedWith({ state: 'PAUSED' })
  const { client } = server
  const expected = { state: 'NOT_READY', notReadyReasons: ['queue_paused'] }

  expect(await client.submit(7)).toMatchObject(expected)
  expect(await client.pull(7)).toMatchObject(expected)
  expect(await client.ok('getQueue', main)).toMatchObject({ enqueuedPullRequests: [expected] })

  await client.ok('updateQueue', { ...main, state: 'RUNNING' })
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', main)
  expect(enqueuedPullRequests).toMatchObject([{ state: 'TESTING' }])
  expect(enqueuedPullRequests[0]).not.toHaveProperty('notReadyReasons')
})

//
test('every reason is named: the state of the queue, the code host, and missing targets', async () => {
  const server = await startedWith({ state: 'DRAINING', mode: 'parallel' })
  const { client, manager } = server
  await client.submit(7)
  manager.send(queueName, { type: 'reportPullRequest', number: 7, mergeable: false })
  expect(await reasonsIn(server)).toEqual([
    'queue_draining',
    'not_mergeable',
    'impacted_targets_missing',
  ])
  await client.ok('updateQueue', { ...main, state: 'RUNNING' })
  expect(await reasonsIn(server)).toEqual(['not_mergeable', 'impacted_targets_missing'])
  await client.ok('setImpactedTargets', { ...main, pr, impactedTargets: [] })
  expect(await reasonsIn(server)).toEqual(['not_mergeable'])
  manager.send(queueName, { type: 'reportPullRequest', number: 7, mergeable: true })
  expect(await reasonsIn(server)).toBeUndefined()
})

//
test('while the mode changes, a new submission waits for the change', async () => {
  const server = await startedWith({})
  const { client } = server
  await client.submit(1)
  await client.ok('updateQueue', { ...main, mode: 'parallel' })
  await client.submit(7)
  expect(await reasonsIn(server)).toEqual(['queue_switching_modes'])
  await client.ok('cancelPullRequest', { ...main, pr: { number: 1 } })
  expect(await reasonsIn(server)).toEqual(['impacted_targets_missing'])
})
