/** Pull requests that depend on others, over the API: what is asked, what is shown, and in which words. */

import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { startedWith, type TestServer } from '../testing/test-server.ts'
import type * as wire from '../contract/wire.ts'

const submit = ({ client }: TestServer, number: number, dependsOn?: readonly number[]) =>
  client.call('submitPullRequest', { ...main, pr: { number }, ...(dependsOn ? { dependsOn } : {}) })

const shown = ({ client }: TestServer, number: number): Promise<wire.SubmittedPullRequest> =>
  client.pull(number, { includeWhy: true })

const sentenceOf = async (server: TestServer, number: number): Promise<string | undefined> =>
  (await shown(server, number)).why?.sentence

//
test('one on top says what it waits for, and lands when that has', async () => {
  const server = await startedWith({ concurrency: 2 })
  await submit(server, 2, [1])
  expect(await shown(server, 2)).toMatchObject({
    dependsOn: [1],
    state: 'NOT_READY',
    notReadyReasons: ['dependency_not_ready'],
    why: { sentence: 'Not ready: waits for #1, which it depends on.', conflictsWith: null },
  })
  await submit(server, 1)
  expect(await sentenceOf(server, 2)).toBe('Its tests run on top of #1. It depends on #1.')
  expect(await sentenceOf(server, 1)).toBe('Its tests run. #2 depends on it.')
  expect(await shown(server, 1)).not.toHaveProperty('dependsOn')
})

// A-56, E-262
test('positions are those in which pull requests start, also of one that was made ready late', async () => {
  const server = await startedWith({ concurrency: 1 })
  await submit(server, 1)
  await submit(server, 3, [4])
  await submit(server, 5)
  const listed = async () =>
    (await server.client.ok<wire.Queue>('getQueue', main)).enqueuedPullRequests.map(
      ({ prNumber }) => prNumber,
    )
  expect(await listed()).toEqual([1, 5, 3])
  await submit(server, 4)
  expect(await listed()).toEqual([1, 5, 4, 3])
  expect((await shown(server, 3)).position).toBe(4)
  const started: number[] = []
  for (const number of [1, 5, 4, 3]) {
    started.push(
      ...(await server.client.runs()).flatMap((run) =>
        run.testedPullRequests.map(({ prNumber }) => prNumber),
      ),
    )
    await server.client.report('passed', { of: number })
  }
  expect(started).toEqual([1, 5, 4, 3])
})

//
test('one that waits in the line for what it depends on has no conflict', async () => {
  const server = await startedWith({ concurrency: 2, mode: 'parallel' })
  for (const number of [1, 2]) {
    await server.client.ok('setImpactedTargets', { ...main, pr: { number }, impactedTargets: [] })
  }
  await submit(server, 1)
  await submit(server, 2, [1])
  const answer = await shown(server, 2)
  expect(answer).toMatchObject({ state: 'PENDING_FAILURE', reason: null, evidence: null })
  expect(answer.why).toMatchObject({
    sentence: 'Waits for #1, which it depends on.',
    conflictsWith: null,
  })
  const { timeline } = await server.client.pull(2, { includeTimeline: true })
  expect(timeline?.map(({ reason }) => reason)).not.toContain('START_TEST_RUN_MERGE_CONFLICT')
})

//
test('each of a stack shows all of it, the lowest first, with who has left and who never came', async () => {
  const server = await startedWith()
  await submit(server, 3, [2, 9])
  await submit(server, 2, [1])
  await submit(server, 4, [3])
  await submit(server, 1)
  await server.client.ok('cancelPullRequest', { ...main, pr: { number: 4 } })
  const state = 'NOT_READY'
  const below = [
    { number: 1, state: 'TESTING', dependsOn: [] },
    { number: 2, state: 'TESTING', dependsOn: [1] },
  ]
  const whole = [
    ...below,
    { number: 9, state: null, dependsOn: [] },
    { number: 3, state, dependsOn: [2, 9] },
  ]
  expect((await shown(server, 3)).why?.stack).toEqual(whole)
  expect((await shown(server, 4)).why?.stack?.map(({ number }) => number)).toEqual([1, 2, 9, 3, 4])
  expect((await shown(server, 1)).why?.stack?.map(({ number }) => number)).toEqual([1, 2, 3])
  expect(await sentenceOf(server, 2)).toContain('It depends on #1. #3 depends on it.')
  await submit(server, 7)
  expect((await shown(server, 7)).why).not.toHaveProperty('stack')
})

//
test('one that leaves with what it depends on names it', async () => {
  const server = await startedWith()
  await submit(server, 1)
  await submit(server, 2, [1])
  await server.client.ok('cancelPullRequest', { ...main, pr: { number: 1 } })
  expect(await shown(server, 2)).toMatchObject({
    state: 'CANCELLED',
    reason: 'PREREQUISITE_MERGE_ITEM_CANCELLED',
    leftWith: 1,
    why: { sentence: '#1, which it depends on, has left.' },
  })
})

//
test('nobody depends on itself: the answer says through whom', async () => {
  const server = await startedWith()
  await submit(server, 1, [2])
  const { status, text } = await submit(server, 2, [1])
  expect([status, text]).toEqual([
    400,
    'dependsOn: pull request 2 would depend on itself: 2 depends on 1 depends on 2. Leave one of these out',
  ])
  expect((await submit(server, 3, [0])).status).toBe(400)
})
