import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../postgres/testing/private-postgres.ts'
import { type TestServer, issue, start } from '../testing/any-store.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { main, shop } from '../testing/client.ts'
import { blocksOf } from '../testing/readme.ts'
import { isMissing } from '../testing/system-program.ts'

/** A server with three pull requests: one in testing, one pending and one cancelled. */
async function busyServer(): Promise<TestServer> {
  const server = await start(temporaryFolder())
  onTestFinished(() => server.stop())
  const { client } = server
  await client.ok('createQueue', { ...main, concurrency: 1 })
  for (const number of [1, 2, 3]) await client.submit(number)
  await client.ok('cancelPullRequest', { ...main, pr: { number: 3 } })
  return server
}

describe.skipIf(isMissing('prometheus'))('Prometheus', () => {
  test('scrapes a server with a token of scope read', async () => {
    const { url, data } = await busyServer()
    const api = await startPrometheus(url, await issue(data, 'read'))

    await expect
      .poll(() => targetsOf(api))
      .toEqual([{ health: 'up', lastError: '', scrapePool: 'mergeyard-queues' }])
    await expect
      .poll(() => valueOf(api, 'mq_depth_current{branch="main",queue_type="main"}'))
      .toBe('2')
    expect(await valueOf(api, 'sum(mq_pr_conclusions_1h_total)')).toBe('1')
    expect(await valueOf(api, 'sum(mq_pr_wait_duration_1h_seconds_count)')).toBe('1')
  })
})

describe.skipIf(isMissing('promtool'))('promtool', () => {
  test('reports only the names that the interface document prescribes', async () => {
    const { client } = await busyServer()
    const { text } = await client.get('getMergeQueueMetrics', '/v1/getMergeQueueMetrics')

    const { stderr, stdout } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
    })

    const remarks = `${stdout}${stderr}`.trim().split('\n').sort()
    expect(remarks).toEqual([
      'mq_pr_conclusions_1h_total non-counter metrics should not have "_total" suffix',
      'mq_pr_restarts_1h_total non-counter metrics should not have "_total" suffix',
    ])
  })
})

/** Starts Prometheus with the configuration in the guide. Returns the address of its API. */
async function startPrometheus(target: string, token: string): Promise<string> {
  const folder = temporaryFolder()
  const config = join(folder, 'prometheus.yml')
  const [scrapes = ''] = blocksOf(
    { file: 'server/operating/README.md', section: 'Tokens, webhooks, metrics' },
    'yaml',
  )
  const own = scrapes.replace('127.0.0.1:3000', new URL(target).host)
  writeFileSync(config, `global:\n  scrape_interval: 500ms\n${own}`)
  writeFileSync(join(folder, 'token'), `${token}\n`)
  const address = `127.0.0.1:${await freePort()}`
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore', cwd: folder },
  )
  const ended = new Promise((resolve) => prometheus.once('exit', resolve))
  onTestFinished(async () => {
    prometheus.kill()
    await ended
  })
  return `http://${address}/api/v1`
}

type Target = { readonly health: string; readonly lastError: string; readonly scrapePool: string }
type Targets = { readonly data: { readonly activeTargets: readonly Target[] } }

async function targetsOf(api: string): Promise<Target[]> {
  const { data } = await fetchJson<Targets>(`${api}/targets`)
  return data.activeTargets.map(({ health, lastError, scrapePool }) => {
    return { health, lastError, scrapePool }
  })
}

type Found = { readonly data: { readonly result: readonly { readonly value: [number, string] }[] } }

async function valueOf(api: string, query: string): Promise<string | undefined> {
  const { data } = await fetchJson<Found>(`${api}/query?query=${encodeURIComponent(query)}`)
  return data.result[0]?.value[1]
}

async function fetchJson<Body>(url: string): Promise<Body> {
  const body: Body = JSON.parse(await (await fetch(url)).text())
  return body
}

// Scrapes over HTTP: which queues are shown, and what the slots count.

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
  const needsHost = 'repo needs repoHost, the host of the repository'

  expect(await refusal(server, '?repo=acme/shop')).toEqual([400, needsHost])
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
