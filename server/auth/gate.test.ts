/** Below the base path nothing is answered to a caller without a valid token. */

import { expect, test, onTestFinished } from 'vitest'
import { issue, start, started } from '../testing/any-store.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import type * as wire from '../contract/wire.ts'
import { definitions, main, shop, examples } from '../testing/client.ts'
import { readRepoPattern, sees } from './tokens.ts'

const metrics = '/v1/getMergeQueueMetrics'

//
test('given no valid token, every path and every method below /v1 gets 401', async () => {
  const { client } = await started()
  const paths = ['/v1', '/v1/', '/v1/nowhere', '/v1/getQueue', '/v1/getQueue/', '/v1/%zz', metrics]
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      for (const token of [null, '', 'unknown']) {
        const { status, text, headers } = await client.send(path, { method, token })
        expect([path, method, status]).toEqual([path, method, 401])
        expect(text).toMatch(
          /^a token is needed, in the header x-api-token$|^the token is not known$/,
        )
        expect(headers.get('allow')).toBeNull()
      }
    }
  }
})

//
test('with a valid token of any scope, an unknown path gets 404 and a wrong method gets 405', async () => {
  const data = temporaryFolder()
  const token = await issue(data, 'read')
  const { client, stop } = await start(data)
  const responseTo = async (path: string, method: string): Promise<[number, string | null]> => {
    const { status, headers } = await client.send(path, { method, token })
    return [status, headers.get('allow')]
  }
  expect(await responseTo('/v1', 'POST')).toEqual([404, null])
  expect(await responseTo('/v1/nowhere', 'POST')).toEqual([404, null])
  expect(await responseTo('/v1/getQueue/', 'POST')).toEqual([404, null])
  expect(await responseTo('/v1/createQueue', 'GET')).toEqual([405, 'POST'])
  expect(await responseTo(metrics, 'POST')).toEqual([405, 'GET, HEAD'])
  await stop()
})

test('the metrics path knows a bearer token also before 405, other paths do not', async () => {
  const { client } = await started()
  const headers = { authorization: 'Bearer admin-token-of-a-test' }
  const statusOf = async (path: string, method: string): Promise<number> =>
    (await client.send(path, { method, headers, token: null })).status
  expect(await statusOf(metrics, 'PUT')).toBe(405)
  expect(await statusOf('/v1/getQueue', 'PUT')).toBe(401)
  expect(await statusOf('/v1/nowhere', 'GET')).toBe(401)
})

//
test('the health endpoints and the documentation are public, and so is what does not exist', async () => {
  const { client } = await started()
  const statusOf = async (path: string, method = 'GET'): Promise<number> =>
    (await client.send(path, { method, token: null })).status
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/start.js']) {
    expect([path, await statusOf(path)]).toEqual([path, 200])
    expect([path, await statusOf(path, 'POST')]).toEqual([path, 405])
  }
  for (const path of ['/', '/v2/getQueue', '/V1/getQueue', '/v1x', '/nowhere']) {
    expect([path, await statusOf(path)]).toEqual([path, 404])
  }
})

// Tokens for a part of the repositories, and for a time.

const other = { repo: { ...shop, owner: 'other' }, targetBranch: 'main' }

//
test.each([
  ['acme/shop', ['github.com/acme/shop', 'git.example/acme/shop'], ['github.com/acme/shop2']],
  ['acme/*', ['github.com/acme/shop'], ['github.com/acme/sub/shop', 'github.com/xacme/shop']],
  ['GitHub.com/acme/*', ['github.com/acme/shop'], ['git.example/acme/shop', 'github.com/Acme/s']],
  ['gitlab.com/acme/**', ['gitlab.com/acme/a', 'gitlab.com/acme/a/b/c'], ['gitlab.com/acme2/a']],
  ['*/group/sub/*', ['gitlab.com/group/sub/a'], ['gitlab.com/group/a', 'x/gitlab.com/group/sub/a']],
  ['acme/shop-*', ['h/acme/shop-', 'h/acme/shop-web'], ['h/acme/shop', 'h/acme/shop-a/b']],
  ['acme/a.b', ['h/acme/a.b'], ['h/acme/aXb']],
])('the pattern %s covers what it says', (pattern, covered, notCovered) => {
  const read = readRepoPattern(pattern)
  if (!read) throw new Error('not a pattern')
  const isCovered = (text: string): boolean => {
    const parts = text.split('/')
    const [host = '', name = ''] = [parts[0], parts.at(-1)]
    return sees({ repos: [read] }, { host, owner: parts.slice(1, -1).join('/'), name })
  }
  expect(covered.filter((text) => !isCovered(text))).toEqual([])
  expect(notCovered.filter(isCovered)).toEqual([])
})

//
test.each(['', 'acme', '/', 'acme/', '/shop', 'a//b', 'acme/sh op', 'acme/**x', 'h/a\n/b'])(
  'given %j as a pattern, it is refused',
  (text) => {
    expect(readRepoPattern(text)).toBeNull()
  },
)

//
test('a token for one repository gets 403 for every other, whether it exists or not', async () => {
  const data = temporaryFolder()
  const token = await issue(data, 'admin', { repos: ['github.com/acme/*'] })
  const { client, stop } = await start(data)
  onTestFinished(stop)
  await client.ok('createQueue', other)
  const unknown = { ...other.repo, name: 'unknown' }

  for (const { definition } of definitions) {
    const body = examples.get(definition.operationId)
    if (typeof body !== 'object' || body === null || !('repo' in body)) continue
    for (const repo of [other.repo, unknown]) {
      const { status, text } = await client.call(
        definition.operationId,
        { ...body, repo },
        { token },
      )
      expect([definition.operationId, status, text]).toEqual([
        definition.operationId,
        403,
        `this token may not use github.com/other/${repo.name}`,
      ])
    }
  }
  expect((await client.call('createQueue', main, { token })).status).toBe(200)
  expect(
    (await client.call('getQueue', { ...main, repo: { ...shop, host: 'GitHub.com' } }, { token }))
      .status,
  ).toBe(200)
})

//
test('a report token for one repository cannot pass a run of another, or learn that it exists', async () => {
  const data = temporaryFolder()
  const token = await issue(data, 'report', { repos: ['other/*'] })
  const { client, stop } = await start(data)
  onTestFinished(stop)
  await client.ok('createQueue', main)
  await client.submit(1)
  const testRunId = (await client.runs())[0]?.testRunId ?? ''
  const responseTo = async (id: string): Promise<[number, string]> => {
    const body = { testRunId: id, outcome: 'passed', failedTests: [{ name: 'x' }] }
    const { status, text } = await client.call('reportTestRun', body, { token })
    return [status, text.replace(id, 'ID')]
  }

  const hidden = await responseTo(testRunId)
  const missing = await responseTo(testRunId.replace(/0$/, '1').replace(/1$/, '7'))

  expect(hidden[0]).toBe(404)
  expect(hidden).toEqual(missing)
  const { state } = await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', {
    ...main,
    pr: { number: 1 },
  })
  expect(state).toBe('TESTING')
  expect((await client.call('reportTestRun', { testRunId, outcome: 'passed' })).status).toBe(200)
})

//
test('metrics show only the queues that the token may see', async () => {
  const data = temporaryFolder()
  const token = await issue(data, 'read', { repos: ['acme/*'] })
  const { client, stop } = await start(data)
  onTestFinished(stop)
  await client.ok('createQueue', main)
  await client.ok('createQueue', other)
  const scrape = async (query: string): Promise<{ status: number; text: string }> =>
    client.get('getMergeQueueMetrics', `/v1/getMergeQueueMetrics${query}`, { token })

  const { text } = await scrape('')
  expect(text).toContain('repo="acme/shop"')
  expect(text).not.toContain('other')
  expect(text).not.toContain('mq_auth_failures_total')
  expect((await scrape('?repoHost=github.com')).text).not.toContain('other')
  expect((await scrape('?repoHost=github.com&repo=other/shop')).status).toBe(404)
  expect((await scrape('?repoHost=github.com&repo=acme/shop')).status).toBe(200)
})

//
test('an expired token gets a 401 that says so, and one that has not expired works', async () => {
  const data = temporaryFolder()
  const expired = await issue(data, 'read', { expiresAt: '2026-01-31T00:00:00.000Z' })
  const valid = await issue(data, 'read', { expiresAt: '2999-01-31T00:00:00.000Z' })
  const { client, stop } = await start(data)
  onTestFinished(stop)

  const { status, text } = await client.call('getQueue', main, { token: expired })

  expect([status, text]).toEqual([
    401,
    'the token expired at 2026-01-31T00:00:00.000Z: ask an administrator for a new one',
  ])
  expect((await client.call('getQueue', main, { token: valid })).status).toBe(404)
})
