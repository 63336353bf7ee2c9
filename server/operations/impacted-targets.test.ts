/** Parallel queues over the API: impacted targets decide which pull requests wait for others. */

import { expect, test } from 'vitest'
import { largestBodyBytes } from '../http/limits.ts'
import { main } from '../testing/client.ts'
import { start, started, startedWith, type TestServer } from '../testing/any-store.ts'
import type * as wire from '../contract/wire.ts'
import { TooLong, mostCharacters, mostTargets, targetsInForce } from '../targets/in-force.ts'

const withNumber = (number: number): object => ({ ...main, pr: { number } })

const parallelQueue = (settings: object = {}): Promise<TestServer> =>
  startedWith({ mode: 'parallel', ...settings })

async function upload(server: TestServer, number: number, impactedTargets: unknown): Promise<void> {
  const answered = await server.client.ok('setImpactedTargets', {
    ...withNumber(number),
    impactedTargets,
  })
  expect(answered).toEqual({})
}

/** The runs in progress: the tested pull requests, and those below them. */
async function runsOf({ client }: TestServer): Promise<[number[], number[]][]> {
  return (await client.runs()).map(({ testedPullRequests, dependentPrs }) => [
    testedPullRequests.map(({ prNumber }) => prNumber),
    dependentPrs,
  ])
}

test('a pull request is NOT_READY until its targets are uploaded, before or after the submission', async () => {
  const server = await parallelQueue()
  expect(await server.client.submit(1)).toMatchObject({
    state: 'NOT_READY',
    readiness: { hasImpactedTargets: false, requiresImpactedTargets: true },
  })
  await upload(server, 1, ['web'])
  expect(await server.client.pull(1)).toMatchObject({
    state: 'TESTING',
    readiness: { hasImpactedTargets: true, requiresImpactedTargets: true },
  })
  await upload(server, 2, ['api'])
  expect(await server.client.submit(2)).toMatchObject({
    state: 'TESTING',
    readiness: { hasImpactedTargets: true },
  })
})

test('only pull requests with a common target are tested on top of each other', async () => {
  const server = await parallelQueue({ concurrency: 9 })
  const all = [['web'], ['api'], ['web', 'api', 'web'], [], 'ALL', ['docs'], 'impacts_all']
  for (const [index, targets] of all.entries()) {
    await upload(server, index + 1, targets)
    await server.client.submit(index + 1)
  }
  expect(await runsOf(server)).toEqual([
    [[1], []],
    [[2], []],
    [[3], [1, 2]],
    [[4], []],
    [[5], [1, 2, 3, 4]],
    [[6], [1, 2, 3, 4, 5]],
    [[7], [1, 2, 3, 4, 5, 6]],
  ])
  const testRuns = await server.client.runs()
  expect(testRuns[2]).toMatchObject({
    impactedTargetsForTestedPrs: ['web', 'api'],
    impactedTargets: ['web', 'api'],
  })
  expect(testRuns[3]).toMatchObject({ impactedTargetsForTestedPrs: [], impactedTargets: [] })
  expect(testRuns[5]).toMatchObject({
    impactedTargetsForTestedPrs: ['docs'],
    impactedTargets: ['ALL'],
  })
})

// A-49, E-94
test('a list that contains ALL is ALL, and reads the same in the details', async () => {
  const server = await parallelQueue({ concurrency: 9 })
  for (const [index, targets] of ['ALL', ['ALL'], ['web', 'ALL']].entries()) {
    await upload(server, index + 1, targets)
    await server.client.submit(index + 1)
  }
  const testRuns = await server.client.runs()
  const all = { impactedTargetsForTestedPrs: ['ALL'], impactedTargets: ['ALL'] }
  expect(testRuns).toMatchObject([all, all, all])
})

// A-49, E-143
test('the last upload counts at once, and those that share a target by it wait for those that are tested', async () => {
  const server = await parallelQueue({ concurrency: 2 })
  await upload(server, 1, ['web'])
  await upload(server, 2, ['web'])
  await upload(server, 2, ['api'])
  await server.client.submit(1)
  await server.client.submit(2)
  expect(await runsOf(server)).toEqual([
    [[1], []],
    [[2], []],
  ])
  await upload(server, 1, ['web', 'api'])
  expect(await runsOf(server)).toEqual([
    [[2], []],
    [[1], [2]],
  ])
  await server.client.report('passed', { of: 1 })
  expect([(await server.client.pull(1)).state, (await server.client.pull(2)).state]).toEqual([
    'TESTS_PASSED',
    'TESTING',
  ])
  await server.client.report('failed', { of: 2 })
  expect([(await server.client.pull(1)).state, (await server.client.pull(2)).state]).toEqual([
    'TESTING',
    'FAILED',
  ])
  expect(await runsOf(server)).toEqual([[[1], []]])
})

test('when the mode becomes parallel, pull requests without targets become NOT_READY', async () => {
  const server = await parallelQueue({ mode: 'single', state: 'PAUSED' })
  const { client } = server
  await client.ok('updateQueue', { ...main, state: 'RUNNING', concurrency: 1 })
  for (const number of [1, 2, 3]) await server.client.submit(number)
  await upload(server, 3, ['web'])
  await client.ok('updateQueue', { ...main, mode: 'parallel' })
  await client.ok('cancelPullRequest', withNumber(1))
  const { enqueuedPullRequests, state, mode } = await client.ok<wire.Queue>('getQueue', main)
  expect([state, mode]).toEqual(['RUNNING', 'parallel'])
  expect(enqueuedPullRequests.map((each) => `${each.prNumber} ${each.state}`)).toEqual([
    '3 TESTING',
    '2 NOT_READY',
  ])
})

//
test('a list of 8,000 names survives a restart, and one as large as a body may be is refused', async () => {
  const server = await parallelQueue()
  const path = 'some/package/'.repeat(80)
  const large = Array.from({ length: 19_000 }, (_each, index) => `//${path}of:${index}`)
  expect(JSON.stringify(large).length).toBeGreaterThan(largestBodyBytes * 0.9)
  const targets = Array.from({ length: 8000 }, (_each, index) => `//some/package/of:${index}`)
  await upload(server, 1, targets)
  await server.client.submit(1)
  await upload(server, 2, ['web'])
  const refused = await server.client.call('setImpactedTargets', {
    ...withNumber(2),
    impactedTargets: large,
  })
  expect(refused).toMatchObject({
    status: 400,
    text: expect.stringMatching(
      /impactedTargets has 500,001 characters in different names or more/,
    ),
  })
  const longNames = { ...withNumber(2), impactedTargets: ['a'.repeat(500_001)] }
  expect((await server.client.call('setImpactedTargets', longNames)).status).toBe(400)
  await server.client.submit(2)
  await server.stop()
  const again = await start(server.data)
  const testRuns = await again.client.runs()
  expect(testRuns.map((run) => run.impactedTargetsForTestedPrs)).toEqual([targets, ['web']])
  await again.stop()
})

test('targets need an existing queue and a valid value', async () => {
  const { client } = await started()
  const messages = { ...withNumber(1), impactedTargets: ['web'] }
  expect((await client.call('setImpactedTargets', messages)).status).toBe(404)
  await client.ok('createQueue', main)
  for (const impactedTargets of ['some', 7, null, { ALL: true }]) {
    const refused = await client.call('setImpactedTargets', { ...messages, impactedTargets })
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('/impactedTargets must be an array of strings, or ALL, got'),
    ])
  }
})

function inForce(targets: readonly string[]): {
  result: readonly string[] | 'ALL' | TooLong
  slices: number
} {
  const work = targetsInForce(targets)
  for (let slices = 1; ; slices++) {
    const slice = work.next()
    if (slice.done === true) return { result: slice.value, slices }
  }
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `t${index}`)

//
test('up to 8,000 different names are a list, and one more is refused', () => {
  expect(inForce(names(mostTargets)).result).toEqual(names(mostTargets))
  expect(inForce(names(mostTargets + 1)).result).toEqual(new TooLong('8,001 different names'))
})

test('repeated names count once, however many there are, and are read in slices', () => {
  const repeated = Array.from({ length: 12 }, () => names(mostTargets)).flat()
  const { result, slices } = inForce(repeated)
  expect(result).toEqual(names(mostTargets))
  expect(slices).toBe(10)
})

test('more than 500,000 characters in different names are refused', () => {
  const long = (length: number): string[] => ['a'.repeat(length), 'b'.repeat(mostCharacters / 2)]
  expect(inForce(long(mostCharacters / 2)).result).toHaveLength(2)
  const tooLong = new TooLong('500,001 characters in different names')
  expect(inForce(long(mostCharacters / 2 + 1)).result).toEqual(tooLong)
})

test('the name ALL anywhere in a list is ALL', () => {
  expect(inForce([...names(2000), 'ALL']).result).toBe('ALL')
})
