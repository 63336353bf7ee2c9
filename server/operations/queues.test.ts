/** Queues and their settings, over the API. */

import { expect, test } from 'vitest'
import { configurationFields } from '../../engine/index.ts'
import { openApi } from '../contract/openapi.ts'
import { main } from '../testing/client.ts'
import { started, startedWith } from '../testing/any-store.ts'

const withNumber = (number: number): object => ({ ...main, pr: { number } })

test('a new queue has the default settings, and getQueue returns the same as createQueue', async () => {
  const { client } = await started()
  const made = await client.ok('createQueue', main)
  const defaults = Object.entries(configurationFields).map(([name, field]) => [name, field.default])
  const expected = {
    ...Object.fromEntries(defaults),
    branch: 'main',
    state: 'RUNNING',
    bisectionConcurrency: 5,
  }
  expect(made).toEqual(expected)
  expect(await client.ok('getQueue', main)).toEqual({ ...expected, enqueuedPullRequests: [] })
})

test('settings can be written together or one by one, and one that does not exist is refused', async () => {
  const { client } = await started()
  const settings = {
    policy: 'adaptive',
    mode: 'parallel',
    concurrency: 7,
    bisectionConcurrency: 2,
    testingTimeoutMinutes: 60,
    pendingFailureDepth: 3,
    canOptimisticallyMerge: true,
    batch: true,
    batchingMaxWaitTimeMinutes: 0,
    batchingMinSize: 8,
    mergeMethod: 'rebase',
    directMergeMode: 'always',
    tipTestMode: 'always',
    optimizationMode: 'bisection_skip_redundant_tests',
    requiredStatuses: ['ci', 'lint'],
    createPrsForTestingBranches: false,
    commentsEnabled: false,
    commandsEnabled: false,
    statusCheckEnabled: false,
    extensionEnabled: false,
    labelCommandsEnabled: false,
    stateLabelsEnabled: true,
    enqueueingLabel: 'go',
  }
  expect(Object.keys(settings)).toEqual(Object.keys(configurationFields))
  const written = { branch: 'main', state: 'PAUSED', ...settings }
  const surplus = { requiredStatusesSource: 'no', branch: 'main', enqueuedPullRequests: [] }
  const body = { ...main, state: 'paused', ...settings, mode: 'PARALLEL', ...surplus }
  expect(await client.ok('createQueue', body)).toEqual(written)
  await client.ok('deleteQueue', main)
  await client.ok('createQueue', main)
  for (const [name, value] of Object.entries(settings)) {
    expect(await client.ok('updateQueue', { ...main, [name]: value })).toMatchObject({
      [name]: value,
    })
  }
  expect(await client.ok('updateQueue', main)).toEqual({ ...written, state: 'RUNNING' })
  const back = { bisectionConcurrency: null, deleteRequiredStatuses: true }
  expect(await client.ok('updateQueue', { ...main, ...back })).toMatchObject({
    bisectionConcurrency: 7,
    requiredStatuses: null,
  })
  const refusals = {
    concurency: 'a queue has no setting "concurency" (did you mean concurrency?)',
    __proto__x: 'a queue has no setting "__proto__x": it has state, ',
    screening: 'the setting screening is gone: set policy to adaptive, which includes it',
    survivorsTakeAlong:
      'the setting survivorsTakeAlong is gone: survivors that are tested again are a group of their own',
  }
  for (const [name, words] of Object.entries(refusals)) {
    const refused = await client.call('updateQueue', { ...main, [name]: 1 })
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining(words) })
  }
  const both = await client.call('updateQueue', { ...main, ...back, requiredStatuses: [] })
  expect(both.text).toContain('contradict each other')
})

test('the OpenAPI document has the settings of the engine', () => {
  const documented: unknown = openApi.components.schemas['QueueSettings']?.['properties']
  const fields = entriesOf(documented).filter(([name]) => name !== 'state')
  const largest = 4_294_967_295
  const expected = Object.entries(configurationFields).map(([name, field]) => {
    const { meaning, default: byDefault } = field
    const description = `${meaning} Default: ${String(byDefault)}.`
    const common = { 'x-default': byDefault, description }
    switch (field.kind) {
      case 'integer':
        return [name, { type: 'integer', minimum: field.minimum, maximum: largest, ...common }]
      case 'integer or null': {
        const range = { minimum: field.minimum, maximum: largest }
        return [name, { type: ['integer', 'null'], ...range, ...common }]
      }
      case 'flag':
        return [name, { type: 'boolean', ...common }]
      case 'choice':
        return [name, { type: 'string', enum: field.choices, 'x-any-case': true, ...common }]
      case 'text':
        return [name, { type: 'string', minLength: 1, ...common }]
      case 'names or null':
        return [name, { type: ['array', 'null'], items: { type: 'string' }, ...common }]
    }
  })
  expect(fields).toEqual(expected)
})

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

const onceItIsEmpty =
  'a mode changes once the line is empty: write state and mode after that, when the queue is RUNNING again'

test('a mode is switched when the line is empty, and reads as the requested one until then', async () => {
  const { client } = await startedWith()
  await client.submit(1)
  const switching = { state: 'SWITCHING_MODES', mode: 'parallel' }
  const both = { ...main, mode: 'parallel', state: 'PAUSED' }
  expect((await client.call('updateQueue', both)).text).toBe(onceItIsEmpty)
  expect(await client.ok('updateQueue', { ...main, mode: 'parallel' })).toMatchObject(switching)
  expect(await client.ok('updateQueue', { ...main, mode: 'parallel' })).toMatchObject(switching)
  const refused = await client.call('updateQueue', { ...main, mode: 'single' })
  expect([refused.status, refused.text]).toEqual([400, onceItIsEmpty])
  expect(await client.ok('updateQueue', { ...main, concurrency: 9 })).toMatchObject(switching)
  await client.ok('cancelPullRequest', withNumber(1))
  expect(await client.ok('getQueue', main)).toMatchObject({ state: 'RUNNING', mode: 'parallel' })
})

test('a mode change with work in the line needs RUNNING, and SWITCHING_MODES cannot be requested', async () => {
  const { client } = await startedWith()
  await client.submit(1)
  await client.ok('updateQueue', { ...main, state: 'DRAINING' })
  expect(await client.ok('updateQueue', { ...main, mode: 'single' })).toMatchObject({
    state: 'DRAINING',
  })
  const change = await client.call('updateQueue', { ...main, mode: 'parallel' })
  expect(change.text).toContain('mode changes only while the queue is RUNNING; it is DRAINING')
  const request = await client.call('updateQueue', { ...main, state: 'switching_modes' })
  expect(request.text).toBe(
    '/state must be one of RUNNING, PAUSED, DRAINING, got "switching_modes"',
  )
})

test('a queue is identified by its host in any letter case, and by exact owner, name and branch', async () => {
  const { client } = await started()
  const named = (host: string, owner: string, name: string, targetBranch = 'main'): object => ({
    repo: { host, owner, name },
    targetBranch,
  })
  await client.ok('createQueue', named('GitLab.Example', 'group/sub', 'shop', 'release/1.0'))
  await client.ok('getQueue', named('gitlab.example', 'group/sub', 'shop', 'release/1.0'))
  for (const other of [
    named('gitlab.example', 'Group/sub', 'shop', 'release/1.0'),
    named('gitlab.example', 'group', 'shop', 'release/1.0'),
    named('gitlab.example', 'group/sub', 'Shop', 'release/1.0'),
    named('gitlab.example', 'group/sub', 'shop', 'release/1'),
  ]) {
    expect((await client.call('getQueue', other)).status).toBe(404)
  }
  await client.ok('createQueue', named('gitlab.example', 'group/sub', 'shop', 'main'))
  expect(
    (await client.call('createQueue', named('GITLAB.example', 'group/sub', 'shop'))).status,
  ).toBe(409)
  const faults = await client.call('getQueue', named('a/b', '', 'x/y', 'no..dots'))
  expect(faults.text.match(/\/(repo\/\w+|targetBranch) must be/g)).toHaveLength(4)
})

test('only an empty queue is deleted, and a new queue with its name shares nothing with it', async () => {
  const { client } = await started()
  await client.ok('createQueue', main)
  await client.submit(1)
  await client.submit(2)
  expect((await client.call('deleteQueue', main)).text).toBe(
    'the queue holds 2 pull requests: cancel or merge what it holds first',
  )
  const [before] = await client.runs()
  for (const number of [1, 2]) await client.ok('cancelPullRequest', withNumber(number))
  await client.ok('deleteQueue', main)
  expect((await client.call('getQueue', main)).text).toBe(
    'there is no merge queue for branch "main" in github.com/acme/shop',
  )
  await client.ok('createQueue', main)
  expect((await client.call('getSubmittedPullRequest', withNumber(1))).status).toBe(404)
  await client.submit(1)
  const [after] = await client.runs()
  expect(after?.testRunId).not.toBe(before?.testRunId)
  const late = { testRunId: before?.testRunId, outcome: 'passed' }
  expect((await client.call('reportTestRun', late)).status).toBe(404)
})
