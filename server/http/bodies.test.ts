/** Sizes, encodings, types and faults of request bodies. */

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { startedWith } from '../testing/any-store.ts'
import { largestBodyBytes } from './limits.ts'

const json = JSON.stringify(main)

/** A body of that size, in bytes. */
const padded = (bytes: number): string => json.padEnd(bytes, ' ')

test('a body of 20 MiB is accepted and one byte more is not, compressed or plain', async () => {
  const { client } = await startedWith()
  const statuses = async (bytes: number): Promise<number[]> => {
    const body = padded(bytes)
    const plain = await client.call('getQueue', body)
    const headers = { 'content-encoding': 'gzip' }
    const gzipped = await client.call('getQueue', gzipSync(body), { headers })
    return [plain.status, gzipped.status]
  }
  expect(await statuses(largestBodyBytes)).toEqual([200, 200])
  expect(await statuses(largestBodyBytes + 1)).toEqual([413, 413])
})

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['GZIP', gzipSync],
  ['identity', (text: string) => Buffer.from(text)],
  ['', (text: string) => Buffer.from(text)],
])('a body with the encoding "%s" is read', async (encoding, compress) => {
  const { client } = await startedWith()
  const headers = { 'content-encoding': encoding }
  expect((await client.call('getQueue', compress(json), { headers })).status).toBe(200)
  const torn = compress(json).subarray(0, 20)
  expect((await client.call('getQueue', torn, { headers })).status).toBe(400)
  const untyped = { headers: { ...headers, 'content-type': 'text/plain' } }
  expect((await client.call('getQueue', torn, untyped)).status).toBe(415)
})

test('other encodings, content types and charsets get 415', async () => {
  const { client } = await startedWith()
  const responseTo = async (headers: Record<string, string>): Promise<[number, string]> => {
    const { status, text } = await client.call('getQueue', json, { headers })
    return [status, text]
  }
  const type = (value: string): Record<string, string> => ({ 'content-type': value })
  for (const taken of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf8"',
    'application/json; profile=x',
  ]) {
    expect(await responseTo(type(taken))).toEqual([200, expect.any(String)])
  }
  expect(await responseTo({ 'content-encoding': 'zstd' })).toEqual([
    415,
    'the body may be compressed with gzip, deflate, br, not zstd',
  ])
  expect(await responseTo(type('text/plain'))).toEqual([
    415,
    'the body must be application/json, got text/plain',
  ])
  expect(await responseTo(type(''))).toEqual([
    415,
    'the body must be application/json, got nothing',
  ])
  expect(await responseTo(type('application/json; charset=latin1'))).toEqual([
    415,
    'the body must be in UTF-8, got latin1',
  ])
})

test('64 levels are accepted and 65 are not; brackets in strings do not count', async () => {
  const { client } = await startedWith()
  const nested = (levels: number): string => {
    const deep = `${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`
    return `{"brackets":"[[[[\\"{{{{${'['.repeat(100)}","deep":${deep},${json.slice(1)}`
  }
  expect((await client.call('getQueue', nested(64))).status).toBe(200)
  const refused = await client.call('getQueue', nested(65))
  expect([refused.status, refused.text]).toEqual([400, 'the body nests deeper than 64 levels'])
})

test('a byte order mark is accepted; bytes that are not UTF-8 are not', async () => {
  const { client } = await startedWith()
  expect((await client.call('getQueue', `\uFEFF${json}`)).status).toBe(200)
  const latin1 = Buffer.from(json.replace('acme', 'acm\u00e9'), 'latin1')
  expect((await client.call('getQueue', latin1)).text).toBe('the body is not UTF-8')
})

test('names of object prototypes are ordinary names', async () => {
  const { client } = await startedWith()
  const inherited = `{"__proto__":${json}}`
  expect((await client.call('getQueue', inherited)).text).toMatch(
    /^\/repo must be an object, got nothing/,
  )
  const surplus = `{"__proto__":{"state":"PAUSED"},"constructor":{"prototype":{}},${json.slice(1)}`
  const refused = await client.call('updateQueue', surplus)
  expect(refused.text).toMatch(/a queue has no setting "(__proto__|constructor)"/)
  expect(await client.ok('getQueue', surplus)).toMatchObject({ state: 'RUNNING' })
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const repo = { host: name, owner: name, name }
    expect((await client.call('getQueue', { repo, targetBranch: name })).status).toBe(404)
    expect(
      (await client.call('submitPullRequest', { ...main, pr: { number: 1 }, priority: name }))
        .status,
    ).toBe(400)
  }
  expect({}).not.toHaveProperty('state')
})

test('one line names each fault: its location, the expected and the actual value', async () => {
  const { client } = await startedWith()
  const faultsOf = async (body: unknown): Promise<string> =>
    (await client.call('submitPullRequest', body)).text
  expect(await faultsOf({ ...main, pr: { number: 'abc' } })).toBe(
    '/pr/number must be an integer, got "abc"',
  )
  expect(await faultsOf({ repo: [], targetBranch: 7, pr: {}, noBatch: 'no' })).toBe(
    '/repo must be an object, got an array; /targetBranch must be a valid git branch name, got 7; ' +
      '/pr/number must be an integer, got nothing; /noBatch must be a boolean, got "no"',
  )
  expect(await faultsOf({ ...main, pr: { number: 1.5 }, priority: { high: true } })).toBe(
    '/pr/number must be an integer, got 1.5; /priority must be an integer from 0 to 255, ' +
      'or urgent, high, medium, low or null, got an object',
  )
  const long = await faultsOf({ ...main, pr: { number: `\n\u2028${'x'.repeat(200)}` } })
  expect(long).toMatch(/^\/pr\/number must be an integer, got "\\n.{1,80}…$/u)
  expect(await faultsOf([])).toBe('the body must be an object, got an array')
  expect(await faultsOf('null')).toBe('the body must be an object, got null')
  const report = {
    testRunId: 'x',
    outcome: 'failed',
    failedTests: Array.from({ length: 30 }, () => 1),
  }
  const many = (await client.call('reportTestRun', report)).text
  expect(many).toContain('/failedTests/19 must be an object, got 1; and 10 more')
})

test('a fault is named once, at the location where it can be fixed', async () => {
  const { client } = await startedWith()
  const faultsOf = async (operationId: string, more: object): Promise<string> =>
    (await client.call(operationId, { ...main, ...more })).text
  const targets = (impactedTargets: unknown): Promise<string> =>
    faultsOf('setImpactedTargets', { pr: { number: 7 }, impactedTargets })
  expect(await targets(['web', 7, 'api', null])).toBe(
    '/impactedTargets/1 must be a string, got 7; /impactedTargets/3 must be a string, got null',
  )
  const many = [...Array.from({ length: 20_000 }, () => 'web'), 7]
  expect(await targets(many)).toBe('/impactedTargets/20000 must be a string, got 7')
  for (const other of ['SOME', 7]) {
    expect(await targets(other)).toBe(
      `/impactedTargets must be an array of strings, or ALL, got ${JSON.stringify(other)}`,
    )
  }
  expect(await faultsOf('updateQueue', { state: null, enqueueingLabel: '' })).toBe(
    '/state must be a string, got null; /enqueueingLabel must be a non-empty string, got ""',
  )
  const huge = JSON.stringify({ ...main, concurrency: 7 }).replace('7', '1e400')
  expect((await client.call('updateQueue', huge)).text).toBe(
    '/concurrency must be an integer, got Infinity',
  )
})

test('unpaired surrogates are not allowed in names of branches and repositories', async () => {
  const { client } = await startedWith()
  for (const [field, value] of [
    ['targetBranch', 'ma\ud83din'],
    ['repo', { host: 'h', owner: 'o\ud83d', name: 'n' }],
    ['repo', { host: 'h', owner: 'o', name: '\ude00' }],
  ] as const) {
    expect((await client.call('createQueue', { ...main, [field]: value })).status).toBe(400)
  }
  const whole = { host: 'h', owner: 'o\u{1f600}', name: '\u{1f600}' }
  await client.ok('createQueue', { repo: whole, targetBranch: 'ma\u{1f600}in' })
})
