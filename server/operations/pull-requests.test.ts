/** The life of pull requests, over the API. */

import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { startedWith, started } from '../testing/any-store.ts'
import type * as wire from '../contract/wire.ts'

const withNumber = (number: number | string): object => ({ ...main, pr: { number } })

const withTimeline = { includeTimeline: true }

test('submitPullRequest and getSubmittedPullRequest return the same; unknown facts are empty', async () => {
  const server = await startedWith()
  const pr = { number: 7, sha: '6b91931a' }
  const submitted = await server.client.submit(7, { pr })
  expect(submitted).toMatchObject({
    state: 'TESTING',
    priorityValue: 100,
    priorityName: 'medium',
    usedDefaultPriorityName: 'medium',
    skipTheLine: false,
    noBatch: false,
    prNumber: 7,
    prTitle: '',
    prSha: '6b91931a',
    prBaseBranch: 'main',
    prAuthor: '',
    readiness: {
      hasImpactedTargets: false,
      requiresImpactedTargets: false,
      doesBaseBranchMatch: true,
      gitHubMergeability: 'unspecified',
    },
    isCurrentlySubmittedToQueue: true,
    forceEnqueued: false,
    verifiedByTestRun: null,
    reason: null,
    evidence: null,
    position: 1,
  })
  const { timeline, ...read } = await server.client.pull(7, withTimeline)
  expect(read).toEqual(submitted)
  expect(timeline?.map(({ state }) => state)).toEqual(['TESTING', 'PENDING'])
})

test('a merged pull request names the run that proved it, and that run can be read', async () => {
  const server = await startedWith()
  await server.client.submit(7)
  const { testRunId } = await server.client.report('PASSED', { url: 'https://ci.example/1' })
  const merged = await server.client.pull(7, withTimeline)
  expect(merged).toMatchObject({
    state: 'MERGED',
    reason: 'MERGE_GRAPH_MERGE',
    isCurrentlySubmittedToQueue: false,
    verifiedByTestRun: testRunId,
    position: null,
  })
  expect(merged.timeline).toMatchObject([
    { state: 'MERGED', reason: 'MERGE_GRAPH_MERGE', testRunId },
    { state: 'TESTS_PASSED', reason: 'TEST_RUN_PASSED', testRunId },
    { state: 'TESTING', reason: null, testRunId },
    { state: 'PENDING', reason: 'API_REQUESTED' },
  ])
  const run = await server.client.ok<wire.TestRun>('getMergeQueueTestingDetails', {
    ...main,
    testRunId: testRunId.toUpperCase(),
  })
  expect(run).toMatchObject({
    testRunId,
    status: 'succeeded',
    isBisection: false,
    testBranch: `mergeyard/pr-7/${testRunId}`,
    testedPullRequests: [{ prNumber: 7, prUrl: 'https://github.com/acme/shop/pull/7', title: '' }],
    statusChecks: [{ context: 'mergeyard', state: 'success', url: 'https://ci.example/1' }],
  })
})

test('a failed pull request has evidence, and keeps its id when it is submitted again', async () => {
  const server = await startedWith({ concurrency: 1 })
  await server.client.submit(7)
  const failedTests = [{ name: 'pays twice', file: 'checkout.test.ts' }]
  // Some runners report a test once for each of its parameters.
  const reported = [...failedTests, ...failedTests]
  const { testRunId } = await server.client.report('failed', { failedTests: reported })
  const failed = await server.client.pull(7, withTimeline)
  expect(failed).toMatchObject({
    state: 'FAILED',
    reason: 'TEST_RUN_REQUIRED_STATUS_FAILED',
    evidence: { failedIn: testRunId, passedWithout: null, failedTests },
  })
  const again = await server.client.submit(7)
  expect(again).toMatchObject({ id: failed.id, state: 'TESTING', evidence: null, position: 1 })
})

test('a number can be text, and a priority can be a name, a number or null', async () => {
  const { client } = await startedWith({ state: 'PAUSED' })
  const submit = (number: number | string, more = {}): Promise<wire.SubmittedPullRequest> =>
    client.ok('submitPullRequest', { ...withNumber(number), ...more })
  expect(await submit('0123')).toMatchObject({ prNumber: 123, state: 'NOT_READY' })
  expect(await submit(1, { priority: 'High' })).toMatchObject({ priorityValue: 10 })
  expect(await submit(2, { priority: 7 })).toMatchObject({ priorityName: '7', priorityValue: 7 })
  expect(await submit(2, { priority: '7' })).toMatchObject({ priorityName: '7', priorityValue: 7 })
  expect(await submit(3, { priority: 0 })).toMatchObject({
    priorityName: 'urgent',
    skipTheLine: true,
  })
  expect(await submit(4, { priority: null })).toMatchObject({
    priorityValue: 100,
    usedDefaultPriorityName: 'medium',
  })
  expect(await submit(2, { noBatch: true })).toMatchObject({ priorityValue: 7, noBatch: true })
  const asked = await submit(2, { priority: null })
  expect(asked).toMatchObject({ priorityValue: 100, noBatch: true })
  expect(asked).not.toHaveProperty('usedDefaultPriorityName')
  const refused = await client.call('submitPullRequest', withNumber('4294967296'))
  expect(refused.text).toBe('/pr/number must be an integer, got "4294967296"')
})

// E-227, A-39
test('another pr.sha is a new submission: the run of the commit before merges nothing', async () => {
  const server = await startedWith()
  const submit = (sha?: string) =>
    server.client.submit(1, { pr: { number: 1, ...(sha === undefined ? {} : { sha }) } })
  await submit('aaaa')
  const [old] = await server.client.runs()
  await submit('aaaa')
  await submit()
  const empty = await server.client.call('submitPullRequest', {
    ...main,
    pr: { number: 1, sha: '' },
  })
  expect(empty.text).toContain('/pr/sha must be a non-empty string')
  expect((await server.client.runs())[0]?.testRunId).toBe(old?.testRunId)
  expect(await submit('bbbb')).toMatchObject({ state: 'TESTING', prSha: 'bbbb' })
  const late = { testRunId: old?.testRunId, outcome: 'passed' }
  await server.client.call('reportTestRun', late)
  const { state, timeline } = await server.client.pull(1, withTimeline)
  expect(state).toBe('TESTING')
  expect(timeline).toContainEqual(
    expect.objectContaining({ state: 'CANCELLED', reason: 'PR_PUSHED_TO' }),
  )
  await server.client.report('passed')
  expect(await server.client.pull(1, withTimeline)).toMatchObject({
    state: 'MERGED',
    prSha: 'bbbb',
  })
})

test('positions count from the first in testing to the last in NOT_READY', async () => {
  const server = await startedWith({ concurrency: 1, mode: 'parallel' })
  const { client } = server
  for (const number of [1, 2, 3, 4]) await client.submit(number)
  for (const number of [2, 3, 4]) {
    await client.ok('setImpactedTargets', { ...withNumber(number), impactedTargets: ['web'] })
  }
  await client.submit(4, { priority: 'high' })
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', main)
  expect(enqueuedPullRequests.map(({ prNumber, state }) => `${prNumber} ${state}`)).toEqual([
    '2 TESTING',
    '4 PENDING',
    '3 PENDING',
    '1 NOT_READY',
  ])
  for (const [index, { prNumber }] of enqueuedPullRequests.entries()) {
    expect((await server.client.pull(prNumber, withTimeline)).position).toBe(index + 1)
  }
})

test('cancel and restart work in the states that allow them', async () => {
  const server = await startedWith({ concurrency: 1 })
  const { client } = server
  const textOf = async (operation: string, number: number): Promise<string> =>
    (await client.call(operation, withNumber(number))).text
  await client.submit(1)
  await client.submit(2)
  const [before] = await server.client.runs()
  expect(await textOf('restartTestsOnPullRequest', 1)).toBe('{}')
  const [after] = await server.client.runs()
  expect(after?.testRunId).not.toBe(before?.testRunId)
  expect(await textOf('restartTestsOnPullRequest', 2)).toBe(
    'pull request 2 is PENDING and has no test run to restart',
  )
  expect(await textOf('cancelPullRequest', 1)).toBe('{}')
  expect(await server.client.pull(1, withTimeline)).toMatchObject({
    state: 'CANCELLED',
    reason: 'USER_REQUESTED',
  })
  const { status, text } = await client.call('cancelPullRequest', withNumber(1))
  expect([status, text]).toEqual([404, 'pull request 1 is not in the queue'])
  expect(await textOf('restartTestsOnPullRequest', 9)).toBe('pull request 9 is not in the queue')
  expect(await textOf('getSubmittedPullRequest', 9)).toBe('pull request 9 was never submitted')
})

//
test('a finished run has the statuses that were required when it ended', async () => {
  const server = await startedWith({ requiredStatuses: ['ci'] })
  await server.client.submit(1)
  const { testRunId } = await server.client.report('PASSED')
  await server.client.submit(2)
  for (const requiredStatuses of [['lint'], null])
    await server.client.ok('updateQueue', { ...main, requiredStatuses })
  const asked = { ...main, testRunId }
  const over = await server.client.ok<wire.TestRun>('getMergeQueueTestingDetails', asked)
  const shown = [over, ...(await server.client.runs())]
  expect(shown.map(({ requiredStatuses }) => requiredStatuses)).toEqual([['ci'], []])
  expect(shown.map(({ statusChecks }) => statusChecks[0]?.context)).toEqual(['ci', 'mergeyard'])
})

test('a test run lists the pull requests below it and its impacted targets', async () => {
  const server = await startedWith({ requiredStatuses: ['ci'] })
  const { client } = server
  await client.ok('setImpactedTargets', {
    ...withNumber(1),
    impactedTargets: ['web', 'api', 'web'],
  })
  await client.ok('setImpactedTargets', { ...withNumber(2), impactedTargets: [] })
  for (const number of [1, 2]) await client.submit(number)
  expect((await server.client.runs())[1]).toMatchObject({
    status: 'in_progress',
    requiredStatuses: ['ci'],
    dependentPrs: [1],
    impactedTargetsForTestedPrs: [],
    impactedTargets: ['web', 'api'],
    statusChecks: [{ context: 'ci', state: 'pending' }],
  })
  await client.ok('setImpactedTargets', { ...withNumber(1), impactedTargets: 'IMPACTS_ALL' })
  const [first, second] = await server.client.runs()
  expect(second?.impactedTargets).toEqual(['ALL'])
  // Once 1 has merged, a CI that applies what lies below 2 to the branch would apply it twice; 1 that is
  // submitted again is another change.
  await client.ok('reportTestRun', { testRunId: first?.testRunId, outcome: 'passed' })
  await client.submit(1)
  const below = (await server.client.runs()).map((run) => [
    run.testedPullRequests[0]?.prNumber,
    run.dependentPrs,
  ])
  expect(below).toEqual([
    [2, []],
    [1, [2]],
  ])
  const one = { ...main, testRunId: second?.testRunId }
  const asked = (): Promise<wire.TestRun> => client.ok('getMergeQueueTestingDetails', one)
  // The targets are those of the change that it still names.
  expect(await asked()).toMatchObject({ dependentPrs: [], impactedTargets: [] })
  await client.ok('reportTestRun', { testRunId: second?.testRunId, outcome: 'passed' })
  expect(await asked()).toMatchObject({ status: 'succeeded', dependentPrs: [1] })
})

test('pull requests that have left are listed in pages, newest conclusion first', async () => {
  const { client } = await startedWith({ state: 'PAUSED' })
  for (const number of [1, 2, 3, 4, 5]) await client.submit(number)
  for (const number of [3, 1, 5, 2]) await client.ok('cancelPullRequest', withNumber(number))
  await client.submit(1)
  const list = async (more = {}): Promise<[number[], string | undefined]> => {
    const page = await client.ok<wire.PullRequestPage>('listPullRequests', { ...main, ...more })
    return [page.pullRequests.map(({ prNumber }) => prNumber), page.nextCursor]
  }
  expect(await list()).toEqual([[2, 5, 3], undefined])
  const [first, cursor] = await list({ take: 1 })
  expect(first).toEqual([2])
  await client.ok('cancelPullRequest', withNumber(4))
  const [second, last] = await list({ take: 1, cursor })
  expect(second).toEqual([5])
  expect(await list({ take: 1, cursor: last })).toEqual([[3], undefined])
  expect(await list({ state: 'merged' })).toEqual([[], undefined])
  expect(await list({ state: 'Cancelled', since: '2001-01-01T00:00:00Z' })).toEqual([
    [4, 2, 5, 3],
    undefined,
  ])
  expect(await list({ since: '3001-01-01T00:00:00+02:00' })).toEqual([[], undefined])
  expect(await list({ until: '2001-01-01T00:00:00Z' })).toEqual([[], undefined])
  const { stateChangedAt: until } = await client.ok<wire.SubmittedPullRequest>(
    'getSubmittedPullRequest',
    withNumber(3),
  )
  expect((await list({ until, since: until }))[0]).toContain(3)
  expect(await list({ since: '3001-01-01 00:00:00.5+0200' })).toEqual([[], undefined])
  for (const since of ['3001-01-01T00:00:00+02', '3001-12-31T23:59:60Z', '3001-01-01', '7']) {
    const { text } = await client.call('listPullRequests', { ...main, since })
    expect(text).toBe(`/since must be an ISO 8601 date and time, got "${since}"`)
  }
})

//
test('noBatch is refused for one that is tested in a batch, and taken for one that waits', async () => {
  const { client } = await startedWith({ batch: true, batchingMinSize: 2, concurrency: 1 })
  for (const number of [1, 2, 3]) {
    await client.ok('setImpactedTargets', { ...withNumber(number), impactedTargets: ['web'] })
    await client.submit(number)
  }
  const alone = (number: number) =>
    client.call('submitPullRequest', { ...withNumber(number), noBatch: true })
  expect(await alone(2)).toMatchObject({
    status: 400,
    text: 'pull request 2 is tested in a batch: noBatch would test the others again; cancel it and submit it with noBatch',
  })
  expect(await alone(3)).toMatchObject({ status: 200 })
})

test('given the state case lower, states are in lower case', async () => {
  const server = await startedWith({ state: 'draining' }, { stateCase: 'lower' })
  const { client } = server
  await client.submit(1)
  const queue = await client.ok<wire.Queue>('getQueue', main)
  expect(queue.state).toBe('draining')
  expect(queue.enqueuedPullRequests[0]?.state).toBe('not_ready')
  expect((await server.client.pull(1, withTimeline)).timeline?.[0]?.state).toBe('not_ready')
})

// Test runs link to the pages of their pull requests.

//
test.each([
  ['github.com', 'acme', 'shop', 'https://github.com/acme/shop/pull/7'],
  ['git.example', 'acme', 'shop', 'https://git.example/acme/shop/pull/7'],
  ['gitlab.com', 'acme', 'shop', 'https://gitlab.com/acme/shop/-/merge_requests/7'],
  ['gitlab.com', 'a/b/c', 'shop', 'https://gitlab.com/a/b/c/shop/-/merge_requests/7'],
  ['my-gitlab.example:8443', 'a', 'b', 'https://my-gitlab.example:8443/a/b/-/merge_requests/7'],
  ['git.example', 'group/sub', 'shop', 'https://git.example/group/sub/shop/-/merge_requests/7'],
  ['github.com', 'acme', 'a b?#', 'https://github.com/acme/a%20b%3F%23/pull/7'],
])('on %s the page of %s/%s is %s', async (host, owner, name, expected) => {
  const { client } = await started()
  const queue = { repo: { host, owner, name }, targetBranch: 'main' }
  await client.ok('createQueue', queue)
  await client.ok('submitPullRequest', { ...queue, pr: { number: 7 } })
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', queue)
  expect(testRuns[0]?.testedPullRequests).toEqual([{ prNumber: 7, prUrl: expected, title: '' }])
})
