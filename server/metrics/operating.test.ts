/** The alert rules and the dashboard name metrics that the server has, and the rules fire as told. */

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { main } from '../testing/client.ts'
import { isMissing } from '../testing/system-program.ts'
import { start, temporaryFolder } from '../testing/test-server.ts'
import { backupMarker } from './server-figures.ts'

const folder = fileURLToPath(new URL('../../../server/operating/', import.meta.url))
const alerts = join(folder, 'alerts.yml')

/** All names of metrics in both scrapes of a server with a queue, a request and a backup. */
async function scraped(): Promise<Set<string>> {
  const data = temporaryFolder()
  writeFileSync(join(data, backupMarker), JSON.stringify({ at: new Date().toISOString() }))
  const { client, url, stop } = await start(data)
  onTestFinished(stop)
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
