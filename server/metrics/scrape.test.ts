/** Scrapes over HTTP: which queues are shown, and what the slots count. */

import { expect, onTestFinished, test } from 'vitest'
import { main, shop } from '../testing/client.ts'
import { start, temporaryFolder, type TestServer } from '../testing/any-store.ts'

const path = '/v1/getMergeQueueMetrics'

async function running(): Promise<TestServer> {
  const server = await start(temporaryFolder())
  onTestFinished(() => server.stop())
  return server
}

/** The lines of one metric, with its values. */
async function scraped({ client }: TestServer, name: string, query = ''): Promise<string[]> {
  const { status, text } = await client.get('getMergeQueueMetrics', path + query)
  expect(status).toBe(200)
  return text.split('\n').filter((line) => line.startsWith(`${name}{`))
}

async function refusal({ client }: TestServer, query: string): Promise<[number, string]> {
  const { status, text } = await client.get('getMergeQueueMetrics', path + query)
  return [status, text]
}

//
test('a query selects one repository, one host or everything', async () => {
  const server = await running()
  const onHost = (host: string, name: string): object => ({
    repo: { ...shop, host, name },
    targetBranch: 'main',
  })
  await server.client.ok('createQueue', main)
  await server.client.ok('createQueue', onHost('gitlab.example', 'shop'))
  await server.client.ok('createQueue', onHost('gitlab.example', 'docs'))
  const shown = async (query: string): Promise<string[]> => {
    const lines = await scraped(server, 'mq_awaiting_mergeability', query)
    const labels = /\{host="([^"]*)",repo="([^"]*)",branch="main",queue_type="main"\}/
    return lines.flatMap((line) => labels.exec(line)?.slice(1).join('/') ?? [])
  }

  expect(await shown('')).toEqual([
    'github.com/acme/shop',
    'gitlab.example/acme/shop',
    'gitlab.example/acme/docs',
  ])
  expect(await shown('?repoHost=GitLab.example')).toEqual([
    'gitlab.example/acme/shop',
    'gitlab.example/acme/docs',
  ])
  expect(await shown('?repo=acme/shop&repoHost=gitlab.example')).toEqual([
    'gitlab.example/acme/shop',
  ])
})

//
test('a repository without its host and malformed values get 400, unknown ones get 404', async () => {
  const server = await running()
  await server.client.ok('createQueue', main)
  const isMissing = 'repo needs repoHost, the host of the repository'

  expect(await refusal(server, '?repo=acme/shop')).toEqual([400, isMissing])
  expect(await refusal(server, '?repo=shop&repoHost=github.com')).toEqual([
    400,
    'repo must be owner/name, got "shop"',
  ])
  for (const host of ['', 'github.com/acme']) {
    const text = `repoHost must be a host name, got "${host}"`
    expect(await refusal(server, `?repoHost=${host}`)).toEqual([400, text])
  }
  expect(await refusal(server, '?repoHost=gitlab.com')).toEqual([
    404,
    'there is no merge queue on host "gitlab.com"',
  ])
  expect(await refusal(server, '?repo=acme/web&repoHost=github.com')).toEqual([
    404,
    'there is no merge queue in github.com/acme/web',
  ])
})

//
test('a slot is in use while a run is in progress, whatever the number of its pull requests', async () => {
  const server = await running()
  const { client } = server
  const settings = { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 0 }
  await client.ok('createQueue', { ...main, ...settings, concurrency: 1 })
  const inUse = async (): Promise<string[]> =>
    (await scraped(server, 'mq_testing_slots_active')).map((line) => line.replace(/.*queue_/, ''))
  await client.submit(9)
  expect(await inUse()).toEqual(['type="main"} 1', 'type="bisection"} 0'])
  // A group that waits for the repetition of a lost run holds no slot.
  await client.report('errored')
  expect(await inUse()).toEqual(['type="main"} 0', 'type="bisection"} 0'])

  await client.ok('cancelPullRequest', { ...main, pr: { number: 9 } })
  await client.ok('updateQueue', { ...main, state: 'PAUSED', bisectionConcurrency: 2 })
  for (const number of [1, 2, 3]) await client.submit(number)
  await client.ok('updateQueue', { ...main, state: 'RUNNING' })
  expect(await inUse()).toEqual(['type="main"} 1', 'type="bisection"} 0'])
  await client.report('failed')
  expect(await inUse()).toEqual(['type="main"} 0', 'type="bisection"} 2'])
})
