/** Tokens for a part of the repositories, and for a time. */

import { expect, onTestFinished, test } from 'vitest'
import type * as wire from '../contract/wire.ts'
import { definitions, main, shop } from '../testing/client.ts'
import { examples } from '../testing/examples.ts'
import { issue, start, temporaryFolder } from '../testing/any-store.ts'
import { covers, readRepoPattern } from './tokens.ts'

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
    return covers([read], { host, owner: parts.slice(1, -1).join('/'), name })
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
