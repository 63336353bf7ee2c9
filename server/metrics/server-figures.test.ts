/** The figures of the server itself. */

import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { main } from '../testing/client.ts'
import { type TestServer, issue, start } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { backUp } from '../backup/backup.ts'
import { dataFolder } from '../store/data-folder.ts'
import { isMissing } from '../testing/system-program.ts'

async function running(): Promise<TestServer> {
  const server = await start(temporaryFolder())
  onTestFinished(() => server.stop())
  return server
}

async function figures({ url }: TestServer): Promise<string[]> {
  const headers = { authorization: 'Bearer admin-token-of-a-test' }
  const response = await fetch(`${url}/metrics`, { headers })
  expect(response.status).toBe(200)
  return (await response.text()).split('\n')
}

const valueOf = (lines: readonly string[], series: string): number =>
  Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1))

//
test('requests are counted by route and status, and unknown paths are one route', async () => {
  const server = await running()
  await server.client.ok('createQueue', main)
  expect((await server.client.call('createQueue', main)).status).toBe(409)
  for (const path of ['/a', '/b?c=/v1/createQueue']) await (await fetch(server.url + path)).text()

  const lines = await figures(server)

  const count = (route: string, status: number): number =>
    valueOf(lines, `mergeyard_request_seconds_count{route="${route}",status="${status}"}`)
  expect(count('/v1/createQueue', 200)).toBe(1)
  expect(count('/v1/createQueue', 409)).toBe(1)
  expect(count('other', 404)).toBe(2)
  expect(valueOf(lines, 'mergeyard_ready')).toBe(1)
})

//
test('the disk, the event loop and the pull requests in memory are shown', async () => {
  const server = await running()
  await server.client.ok('createQueue', main)
  await server.client.ok('submitPullRequest', { ...main, pr: { number: 7 } })

  const lines = await figures(server)

  expect(valueOf(lines, 'mergeyard_fdatasync_seconds_count')).toBeGreaterThanOrEqual(2)
  expect(valueOf(lines, 'mergeyard_known_pull_requests')).toBe(1)
  expect(valueOf(lines, 'mergeyard_data_free_bytes')).toBeGreaterThan(0)
  expect(valueOf(lines, 'process_resident_memory_bytes')).toBeGreaterThan(0)
  expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds '))).toBe(true)
  const help = lines.filter((line) => line.startsWith('# HELP '))
  expect(new Set(help).size).toBe(help.length)
})

//
test('the age of the newest backup is absent until there is one', async () => {
  const server = await running()
  const ages = async (): Promise<string[]> =>
    (await figures(server)).filter((line) => line.startsWith('mergeyard_backup_age_seconds'))
  expect(await ages()).toEqual([])
  const anHourAgo = new Date(Date.now() - 3_600_000)
  await backUp(dataFolder(server.data), join(temporaryFolder(), 'data.tar'), anHourAgo)
  const [age = ''] = await ages()
  expect(Number(age.split(' ')[1])).toBeGreaterThanOrEqual(3600)
  writeFileSync(dataFolder(server.data).backup, '{"createdAt":')
  expect(await ages()).toEqual([])
})

//
test('any token looks at the figures, and nobody without one', async () => {
  const server = await running()
  const secret = await issue(server.data, 'read')
  const statusWith = async (headers: Record<string, string>): Promise<number> => {
    const response = await fetch(`${server.url}/metrics`, { headers })
    await response.text()
    return response.status
  }
  expect(await statusWith({})).toBe(401)
  expect(await statusWith({ 'x-api-token': 'wrong' })).toBe(401)
  await expect.poll(() => statusWith({ 'x-api-token': secret })).toBe(200)
})

// The alert rules and the dashboard name metrics that the server has, and the rules fire as told.

const folder = fileURLToPath(new URL('../../../server/operating/', import.meta.url))
const alerts = join(folder, 'alerts.yml')

/** All names of metrics in both scrapes of a server with a queue, a request and a backup. */
async function scraped(): Promise<Set<string>> {
  const data = temporaryFolder()
  const { client, url, stop } = await start(data)
  onTestFinished(stop)
  await backUp(dataFolder(data), join(temporaryFolder(), 'data.tar'), new Date())
  await client.ok('createQueue', main)
  const queues = await client.get('getMergeQueueMetrics', '/v1/getMergeQueueMetrics')
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: 'Bearer admin-token-of-a-test' },
  })
  const lines = `${queues.text}\n${await response.text()}`.split('\n')
  return new Set(lines.flatMap((line) => /^([a-z_0-9]+)[{ ]/.exec(line)?.[1] ?? []))
}

const ownMetric = /\b(?:mq|mergeyard|nodejs|process)_[a-z_0-9]+\b/g
const namesIn = (expression: string): string[] => expression.match(ownMetric) ?? []

type Rules = {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[]
}
type Dashboard = {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

//
test('every metric that an alert or a panel names is in a scrape', async () => {
  const known = await scraped()
  const rules: Rules = parse(readFileSync(alerts, 'utf8'))
  const dashboard: Dashboard = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8'))
  const expressions = [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  expect(expressions.length).toBeGreaterThan(20)
  const named = expressions.flatMap(namesIn)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

function promtool(...args: readonly string[]): { readonly status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', cwd: folder })
  return { status, output: stdout + stderr }
}

//
test.skipIf(isMissing('promtool'))('promtool accepts the rules, and they fire as told', () => {
  expect(promtool('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 })
  expect(promtool('test', 'rules', 'alerts.cases.yml')).toMatchObject({ status: 0 })
})
