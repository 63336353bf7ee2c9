import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../postgres/testing/private-postgres.ts'
import { type TestServer, issue, start, temporaryFolder } from '../testing/any-store.ts'
import { main } from '../testing/client.ts'
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
      .toEqual([{ health: 'up', lastError: '', scrapePool: 'mergeyard' }])
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
