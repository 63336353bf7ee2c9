/** Replays of recordings: complete, cut, without a beginning, damaged, and with late commands. */

import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Command, LogEntry, Event } from '../../../engine/index.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import type { ResultDocument } from '../../../sim/result/result-document.ts'
import { loadScenario } from '../../../sim/scenario/load.ts'
import { toMillis } from '../../../sim/scenario/time.ts'
import { simulated, scenarioOf } from '../../../sim/testing/simulated.ts'
import { commandsOf, entriesOf, record, shop } from './testing/record.ts'
import { main } from '../../../server/testing/client.ts'
import { start, type TestServer } from '../../../server/testing/test-server.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import type * as wire from '../../../server/contract/wire.ts'

const home = new CliFolder()

const storm = loadScenario(
  fileURLToPath(new URL('../../../../scenarios/flaky-storm.json', import.meta.url)),
)
const badDay = scenarioOf({
  queue: { ...storm.queue, batch: true, concurrency: 3 },
  suite: { minutes: { median: 20, p95: 45 } },
  traffic: { ...storm.traffic, count: 80 },
  suiteFlakes: { perRun: 0.1 },
  faults: { lostRunRate: 0.02, mergeRefusedRate: 0.01, hangRate: 0.01 },
  events: [
    { at: 90, do: 'updateQueue', set: { state: 'PAUSED' } },
    { at: 130, do: 'updateQueue', set: { state: 'RUNNING', batchingMinSize: 6 } },
  ],
})

const commands = commandsOf(badDay)
const all = entriesOf({ set: badDay.queue ?? {}, codeHost: 'answers' }, commands)

/** Writes a data folder with these entries, cut into segments. Returns its name. */
function recorded(name: string, entries: readonly LogEntry[], ...cuts: readonly number[]): string {
  record(join(home.path, name), entries, ...cuts)
  return name
}

const file = (folder: string, name: string): string => join(home.path, folder, 'log', name)

async function documentOf(folder: string): Promise<ResultDocument> {
  const out = await home.printed(`sim --against '${folder}' --json --no-report`)
  const document: ResultDocument = JSON.parse(out)
  return document
}

describe('a replay', () => {
  recorded('whole', all, 100, 200)

  test('has the same figures and lists as the recorded run', async () => {
    const document = await documentOf('whole')
    const { pullRequests, testRuns, mergeOrder, totals, timeInQueueMinutes } = simulated(badDay)
    expect(document.pullRequests).toEqual(pullRequests)
    expect(document.mergeOrder).toEqual(mergeOrder)
    expect(document.timeInQueueMinutes).toEqual(timeInQueueMinutes)
    expect(document.testRuns).toHaveLength(testRuns.length)
    // No recording contains which pull requests truly break the tests, and which failures are flakes.
    const truths = /^(healthyEvicted|clashed|badMerged|laneClashes|brokenMainMinutes)$/
    const known = Object.fromEntries(Object.entries(totals).filter(([name]) => !truths.test(name)))
    expect(document.totals).toEqual({ ...known, wastedMinutes: expect.anything() })
    expect(document).not.toHaveProperty('laneClashes')
  })

  test('holds every property, and matches every snapshot', async () => {
    const out = await home.printed(`sim --against whole --queue ${shop} --no-report`)
    expect(out).toContain(`exact  ${all.length - 1 > 999 ? '1,' : ''}`)
    expect(out).toMatch(/ commands replayed, 2 snapshots matched\n/)
    expect(out).toMatch(/\nholds {2}\d+ properties, [\d,]+ checks\n$/)
  })

  // S-77
  test('is compared with the model after every command', async () => {
    const { properties } = await documentOf(recorded('compared', all))
    const model = properties.find(({ name }) => name === 'agrees-with-the-model')
    expect(model?.checked).toBe(commands.length)
  })

  test('given late commands, wake-ups in particular, holds every property', async () => {
    const late = commands.map(({ at, ...command }): Command => {
      const every = toMillis(command.type === 'wake' ? 17 : 5)
      return { ...command, at: Math.ceil(at / every) * every }
    })
    late.sort((a, b) => a.at - b.at)
    const entries = entriesOf({ set: badDay.queue ?? {}, codeHost: 'answers' }, late)
    expect(entries.length).toBeGreaterThan(all.length / 3)
    const line = `sim --against ${recorded('late', entries)} --no-report`
    expect(await home.printed(line)).toContain('\nholds ')
  })

  test('given that earlier segments are gone, starts at the oldest snapshot', async () => {
    recorded('pruned', all, 200)
    rmSync(file('pruned', '00000001.jsonl'))
    const out = await home.printed('sim --against pruned --no-report')
    expect(out).toContain('the recording starts at a snapshot')
    expect(out).toContain(`exact  ${(all.length - 200).toLocaleString('en')} commands replayed\n`)
    expect(out).toContain('no property was checked')
    await home.run('sim --against pruned --report pruned-page')
    expect(home.read('pruned-page/report.html')).toMatch(
      /Exact<\/strong>\s+replay of the recording; no property was checked/,
    )
    const both = await Promise.all(['whole', 'pruned'].map(documentOf))
    const [last, same] = both.map((document) => document.pullRequests.at(-1))
    expect(same?.state).toBe(last?.state)
  })

  // S-393
  test('that ends while the server goes on says how many wait, also if it starts at a snapshot', async () => {
    for (const name of ['cut', 'cut-and-pruned']) recorded(name, all.slice(0, 104), 100)
    rmSync(file('cut-and-pruned', '00000001.jsonl'))
    const [cut, pruned] = await Promise.all(['cut', 'cut-and-pruned'].map(documentOf))
    const { waiting } = cut?.totals ?? {}
    expect(waiting).toBeGreaterThan(1)
    expect(pruned?.totals.waiting).toBe(waiting)
    for (const name of ['cut', 'cut-and-pruned']) {
      const out = await home.printed(`sim --against ${name} --no-report`)
      expect(out).toMatch(new RegExp(`\n {2}still waiting +${waiting}\n`))
    }
  })

  test('explains a pull request with dates, without causes that are not recorded', async () => {
    const { pullRequests } = simulated(badDay)
    const failed = pullRequests.find(({ state }) => state === 'FAILED')?.number ?? 0
    const out = await home.printed(`sim --against whole --why ${failed} --no-report`)
    expect(out).toContain(`pull request ${failed}\n`)
    expect(out).toMatch(/\n {2}2026-11-14T\d\d:\d\d:\d\d\.\d{3}Z {2}submitted/)
    expect(out).toMatch(/ run \d+ failed\n/)
    expect(out).not.toMatch(/ because (this pull request|pull requests? \d+.*) breaks? /)
    expect(out).toMatch(/ FAILED.*\n\nexact {2}/)
  })

  test('writes a report page, without figures that are not recorded', async () => {
    const out = await home.printed('sim --against whole --report page')
    expect(out).toMatch(/\nreport {2}.*report\.html\n$/)
    const page = home.read('page/report.html')
    expect(page).toContain('recorded from 2026-11-14T00:00:00.000Z to ')
    expect(page).toContain('npm run sim -- --against whole --queue github.com/acme/shop:main')
    expect(page).toContain('The queue at the start')
    expect(page).not.toContain('healthy PRs evicted')
    expect(page).not.toContain('bad PRs merged')
  })

  test('given an incomplete last line, leaves it out', async () => {
    recorded('torn', all.slice(0, 50))
    appendFileSync(file('torn', '00000001.jsonl'), '{"sequence":51,"at"')
    const out = await home.printed('sim --against torn --no-report')
    expect(out).toContain('exact  49 commands replayed')
  })

  test('given a command that the engine rejects now, reports the difference: exit code 1', async () => {
    const [creation, ...rest] = all.slice(0, 60)
    const cancelled: LogEntry['command'] = {
      type: 'cancelPullRequest',
      number: 4_000_000,
      reason: 'USER_REQUESTED',
    }
    const never = { sequence: 2, at: creation?.at ?? 0, queue: shop, command: cancelled }
    const shifted = rest.map((entry) => ({ ...entry, sequence: entry.sequence + 1 }))
    const entries = creation ? [creation, never, ...shifted] : []
    const { code, out } = await home.run(`sim --against ${recorded('other', entries)} --no-report`)
    expect(code).toBe(1)
    expect(out).toContain('DIFFERS  Entry 2, cancelPullRequest, was accepted')
  })

  test('given a snapshot with another state, reports the difference: exit code 1', async () => {
    const [hundredth] = all.slice(99)
    const set = { concurrency: 99 }
    const changed: LogEntry['command'] = { type: 'updateQueue', set }
    const others = hundredth ? [...all.slice(0, 99), { ...hundredth, command: changed }] : []
    recorded('edited', others, 100)
    const foreign = readFileSync(file('edited', '00000002.begin.json'))
    recorded('edited', all, 100)
    writeFileSync(file('edited', '00000002.begin.json'), foreign)
    const { code, out } = await home.run('sim --against edited --no-report')
    expect(code).toBe(1)
    expect(out).toMatch(
      /DIFFERS {2}After entry 100 the state is not that of .*00000002\.begin\.json/,
    )
  })
})

describe('invalid input is refused with its location', () => {
  const few = all.slice(0, 30)
  recorded('few', few)
  test.each([
    ['nowhere', /^nowhere: --against: expected the data folder of a server/],
    ['few --queue a/b/c:d', /one of github\.com/],
    ['few two.json', /got --against and two\.json/],
    ['few --seeds 3', /got --against and --seeds/],
    ['few --why 99999', /request of the recording, got --why/],
    ['few --why 1 --set queue.concurrency=2', /--why and/],
  ])('sim --against %s', (line, words) => home.refuses(`sim --against ${line}`, words))

  test('--queue without a recording', () => home.refuses(`sim --queue ${shop}`, 'only --queue'))

  test('two queues without --queue', async () => {
    const other = few.slice(0, 1).map((entry) => ({ ...entry, queue: 'github.com/acme/shop:next' }))
    const renumbered = [...other, ...few].map((entry, index) => ({ ...entry, sequence: index + 1 }))
    const line = `sim --against ${recorded('two', renumbered)}`
    await home.refuses(line, 'shop:next, github.com/acme/shop:main')
  })

  test('a changed byte', async () => {
    recorded('damaged', few, 15)
    const path = file('damaged', '00000001.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"number":', '"number":1'))
    await home.refuses('sim --against damaged', /00000001\.jsonl: line \d+: .*checksum/)
  })

  test('a missing segment, and an invalid snapshot', async () => {
    recorded('gap', few, 10, 20)
    rmSync(file('gap', '00000002.jsonl'))
    await home.refuses('sim --against gap', '00000002.jsonl: file: expected a segment')
    recorded('broken', few, 10)
    rmSync(file('broken', '00000001.jsonl'))
    writeFileSync(file('broken', '00000002.begin.json'), '{"snapshot":"other"}\n')
    await home.refuses('sim --against broken', 'expected a mergeyard snapshot')
    mkdirSync(join(home.path, 'empty', 'log'), { recursive: true })
    await home.refuses('sim --against empty', 'empty')
  })
})

// Records a real server, and replays the recording. The events are the same, although the server restarted and had
// other queues as well.

const other = { ...main, targetBranch: 'other' }

/** Adds every event that the queue of `main` publishes from now on to `events`. */
function collectEvents({ manager }: TestServer, events: Event[]): void {
  manager.subscribe(({ queue, events: more }) => {
    if (queue?.targetBranch === main.targetBranch) events.push(...more)
  })
}

const submit = ({ client }: TestServer, queue: wire.QueueRef, number: number): Promise<unknown> =>
  client.ok('submitPullRequest', { ...queue, pr: { number, sha: `sha-${number}` } })

/** Reports every run in progress. Runs that contain a breaking pull request fail, with a named test. */
async function reportAll({ client }: TestServer, breaking: readonly number[]): Promise<number> {
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
  for (const { testRunId, testedPullRequests, dependentPrs } of testRuns) {
    const held = [...dependentPrs, ...testedPullRequests.map(({ prNumber }) => prNumber)]
    const fails = held.some((number) => breaking.includes(number))
    const verdict = fails
      ? { outcome: 'failed', failedTests: [{ name: 'pays twice' }] }
      : { outcome: 'passed', url: 'https://ci.example/1' }
    await client.ok('reportTestRun', { testRunId, ...verdict })
    // The second report is too late, so it is not a command of the queue.
    await client.ok('reportTestRun', { testRunId, outcome: 'failed' })
  }
  return testRuns.length
}

/** Batches, a bisection and a cancel. */
async function morning(server: TestServer): Promise<void> {
  const { client } = server
  const batches = { batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 0 }
  await client.ok('createQueue', { ...main, ...batches, concurrency: 2 })
  await client.ok('createQueue', other)
  for (let number = 1; number <= 12; number++) await submit(server, main, number)
  await submit(server, other, 1)
  await client.ok('cancelPullRequest', { ...main, pr: { number: 2 } })
  await reportAll(server, [7])
}

async function afternoon(server: TestServer): Promise<void> {
  const { client } = server
  await client.ok('submitPullRequest', { ...main, pr: { number: 20 }, priority: 'urgent' })
  await client.ok('updateQueue', { ...main, concurrency: 4, pendingFailureDepth: 1 })
  await client.ok('setImpactedTargets', { ...main, pr: { number: 30 }, impactedTargets: ['web'] })
  while ((await reportAll(server, [7])) > 0);
  await submit(server, main, 7)
  await client.ok('restartTestsOnPullRequest', { ...main, pr: { number: 7 } })
}

test('given the recording of a server, the replay has the same events, and prints the figures', async () => {
  const data = temporaryFolder()
  const before = await start(data)
  // An earlier queue with the same name is not part of the recording.
  await before.client.ok('createQueue', main)
  await submit(before, main, 99)
  await before.client.ok('cancelPullRequest', { ...main, pr: { number: 99 } })
  await before.client.ok('deleteQueue', main)
  const events: Event[] = []
  collectEvents(before, events)
  await morning(before)
  await before.stop()
  const after = await start(data)
  collectEvents(after, events)
  await afternoon(after)

  // The server still runs: a recording can be read while it grows.
  const replay = `sim --against '${data}' --no-report --queue GitHub.com/acme/shop:main`
  const out = await home.printed(`${replay} --trace trace.jsonl`)
  const lines = home.read('trace.jsonl').trimEnd().split('\n')
  const replayed = lines.flatMap((line) => {
    const { event }: { event?: Event } = JSON.parse(line)
    return event ?? []
  })
  expect(events.length).toBeGreaterThan(100)
  expect(replayed).toEqual(events)
  expect(out).toMatch(/^github\.com\/acme\/shop:main {3}recorded from 20/)
  expect(out).toMatch(/^ {2}merged +11$/m)
  expect(out).toMatch(/^exact {2}\d+ commands replayed, 1 snapshot matched$/m)
  expect(out).toMatch(/^holds {2}\d+ properties, [\d,]+ checks$/m)
  //
  const story = await home.printed(`${replay} --why 2`)
  expect(story).toMatch(/Z {2}submitted.* \(by token --token\)$/m)
  expect(story).toMatch(/CANCELLED.* \(by token --token\)$/m)
  await after.stop()
})
