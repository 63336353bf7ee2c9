/** Long lists and limits of the API. */

import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Answer } from '../../../server/code-host/testing/call.ts'
import { FakeCodeHost } from '../../../server/code-host/testing/fake-code-host.ts'
import { github, personalToken } from '../../../server/github/testing/fake-github.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { filled } from '../../../server/github/testing/shapes.ts'
import { instant } from '../../../sim/import/testing/github-story.ts'
import { historyRoutes, rateLimit, recorded } from './testing/history-routes.ts'
import { downloadRuns, lastPulls, type Download } from './download.ts'
import { HistoryApi } from './api.ts'
import { HistoryFolder } from './folder.ts'

let folder = ''
let fake: FakeCodeHost

beforeEach(async () => {
  folder = temporaryFolder()
  fake = new FakeCodeHost(github, { folder })
  await fake.listen()
})

afterEach(() => {
  fake.close()
  const [fault] = fake.faults
  if (fault !== undefined) throw new Error(fault)
})

const repo = '/repos/{owner}/{repo}'
const nowMs = Date.UTC(2026, 2, 2, 12)

/** An API that notes how long it would have waited. */
function api(): { readonly api: HistoryApi; readonly waits: number[]; readonly told: string[] } {
  const [waits, told]: [number[], string[]] = [[], []]
  const auth = { kind: 'token', token: () => personalToken } as const
  const at = { kind: 'github', owner: 'acme', name: 'shop', api: fake.api } as const
  const options = { ...at, auth, webhookSecrets: [] }
  return {
    waits,
    told,
    api: new HistoryApi(options, {
      wait: (ms) => Promise.resolve(void waits.push(ms)),
      tell: (words) => void told.push(words),
      signal: new AbortController().signal,
      now: () => nowMs,
    }),
  }
}

function parts(last: number): Download {
  const wanted = { repository: 'acme/shop', branch: null, last }
  const path = join(folder, 'history')
  return {
    api: api().api,
    wanted,
    queueLabel: null,
    show: () => undefined,
    folder: new HistoryFolder(path, 'history', { ...wanted, now: instant(100_000) }),
  }
}

const limited = (message: string): Answer => ({ status: 403, body: { message } })

// S-257
test('given that the hour is used up, waits until it is over', async () => {
  const name = `GET ${repo}`
  Object.assign(fake.routes, historyRoutes(), {
    'GET /rate_limit': () => ({ status: 200, body: rateLimit(0, nowMs / 1_000 + 25 * 60) }),
  })
  fake.instead.push({ name, answer: limited('API rate limit exceeded for user ID 1.') })
  const { api: asked, waits, told } = api()
  expect(await asked.get(repo)).toMatchObject({ full_name: 'acme/shop' })
  expect(waits).toEqual([25 * 60_000 + 1_000])
  expect(told).toEqual(['GitHub allows no more requests now; going on in 26 min'])
})

// S-257
test('given a secondary limit, waits a minute, and twice as long each time', async () => {
  const name = `GET ${repo}`
  Object.assign(fake.routes, historyRoutes())
  Object.assign(fake.routes, {
    'GET /rate_limit': () => ({ status: 200, body: rateLimit(4_000, 0) }),
  })
  const answer = limited('You have exceeded a secondary rate limit.')
  fake.instead.push({ name, answer }, { name, answer }, { name, answer })
  const { api: asked, waits } = api()
  expect(await asked.get(repo)).toMatchObject({ full_name: 'acme/shop' })
  expect(waits).toEqual([60_000, 120_000, 240_000])
})

// S-257
test('given more pull requests than are wanted, downloads those that ended last, and stops there', async () => {
  const pull = (number: number, closed: number, updated: number) =>
    filled('pull-request-simple', {
      number,
      state: 'closed',
      created_at: instant(0),
      merged_at: instant(closed),
      closed_at: instant(closed),
      updated_at: instant(updated),
      head: { ref: `change-${number}` },
      base: { ref: 'main' },
    })
  // The oldest was commented last, and number 300 is on the second page.
  const all = [
    pull(1, 1, 900),
    ...Array.from({ length: 299 }, (_, index) => pull(300 - index, 700 - index, 700 - index)),
  ]
  Object.assign(fake.routes, historyRoutes({ pulls: all }))
  const pulls = await lastPulls(parts(120), 'main')
  expect(pulls.map(({ number }) => number)).toEqual(
    Array.from({ length: 120 }, (_, index) => 300 - index),
  )
  expect(fake.requests).toHaveLength(2)
})

// S-257
test('given more runs in a period than GitHub lists, asks for its halves', async () => {
  const minutes = [0, 2_000, 4_000, 8_000]
  const all = minutes.map((id) =>
    filled('workflow-run', { id, event: 'merge_group', created_at: instant(id) }),
  )
  const routes = historyRoutes({ runs: { workflow_runs: all } })
  const usual = routes[`GET ${repo}/actions/runs`]
  if (!usual) throw new Error('no such route')
  const dayMs = 86_400_000
  fake.routes[`GET ${repo}/actions/runs`] = (state, call) => {
    const [from = '', to = ''] = (call.query.get('created') ?? '').split('..')
    const isLong = Date.parse(to) - Date.parse(from) > 2 * dayMs
    if (!isLong) return usual(state, call)
    return { status: 200, body: { total_count: 1_001, workflow_runs: [] } }
  }
  const download = parts(500)
  download.folder.write('pulls.json', recorded['pulls'])
  const query = { name: 'merge_group', event: 'merge_group', branch: null }
  const span = { fromMs: Date.parse(instant(0)), toMs: Date.parse(instant(9_000)) }
  await downloadRuns(download, { queries: [{ ...query, ...span }], commits: [] })
  const { runs } = download.folder.read()
  expect(runs.map((run) => run.created_at)).toEqual(minutes.map((minute) => instant(minute)))
})
