/** The figures of the server itself. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { main } from '../testing/client.ts'
import { type TestServer, issue, start, temporaryFolder } from '../testing/test-server.ts'
import { backupMarker } from './server-figures.ts'

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
  const marker = join(server.data, backupMarker)
  writeFileSync(marker, JSON.stringify({ at: '2026-01-01T00:00:00.000Z' }))
  const [age = ''] = await ages()
  expect(Number(age.split(' ')[1])).toBeGreaterThanOrEqual(3600)
  writeFileSync(marker, '{"at":')
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
