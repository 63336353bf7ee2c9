import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { matrix } from '../../../engine/testing/matrix.ts'
import type { CampaignDocument } from '../../../sim/campaign/document.ts'
import type { ComparedDocument } from '../../../sim/campaign/changes.ts'
import { firstSeedOf } from '../../../sim/random/seeds.ts'
import { replayCommand } from '../../../sim/judge/source.ts'
import { runCampaign } from '../../../sim/campaign/run-campaign.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { simulate } from '../../../sim/run/simulate.ts'
import { anyScenario } from '../../../sim/arbitrary/any-scenario.ts'

const home = new CliFolder()

const drawn = home.scenario('drawn', { traffic: { count: 20, breakRate: 0.2 } })

test('a campaign with a time budget runs seeds from the start of the range, and prints the last one', async () => {
  const out = await home.printed(`sim ${drawn} --seeds 11.. --for 0.3s --report timed`)
  const [, last = ''] = /drawn {3}seeds 11\.\.(\d+) {3}[\d,]+ runs {3}in 0/.exec(out) ?? []
  expect(await home.documentIn('timed/seeds.json')).toMatchObject({
    ran: `11..${last}`,
    seeds: Number(last) - 10,
  })
})

test('--seeds-from derives the first seed from a text, and prints it', async () => {
  const first = firstSeedOf('2e9a7ee')
  const out = await home.printed(`sim ${drawn} --seeds 2 --seeds-from 2e9a7ee --no-report`)
  expect(out).toContain(`seeds ${first}..${first + 1}   2 runs   first seed derived from "2e9a7ee"`)
})

describe('with --model', () => {
  test('every run is compared with the model, and nothing else is checked', matrix, async () => {
    const out = await home.printed('sim --seeds 4 --once --model --json --no-report')
    const { properties }: CampaignDocument = JSON.parse(out)
    expect(properties.map(({ name }) => name)).toEqual([
      'engine-does-not-throw',
      'keeps-moving',
      'rebuilds-alike',
      'agrees-with-the-model',
    ])
    expect(properties.at(-1)?.runs).toBe(4)
  })

  test('the command of a failure names it', () => {
    const source = { kind: 'swarm', settings: [], features: ['pauses'], only: 'model' } as const
    const command = replayCommand({ source, seed: 7, settings: [] })
    expect(command).toBe('npm run sim -- --seed 7 --with pauses --model')
  })
})

describe('a campaign that is interrupted', () => {
  test('reports the runs that finished before, in order', async () => {
    const interrupt = new AbortController()
    const seen: number[] = []
    function* seeds(): Generator<number, undefined> {
      for (let seed = 1; seed <= 1000; seed++) yield seed
      return undefined
    }
    await runCampaign({
      source: { kind: 'swarm', settings: [], features: [] },
      seeds: seeds(),
      once: true,
      onRun: ({ seed }) => {
        seen.push(seed)
        if (seen.length === 20) interrupt.abort()
      },
      signal: interrupt.signal,
    })
    expect(seen.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(seen.length).toBeLessThan(1000)
  })

  test('before its first run prints the number of requested runs: exit code 130', async () => {
    const line = `sim ${drawn} --seeds 50 --no-report`
    const { code, out } = await home.run(line, { signal: AbortSignal.abort() })
    expect(code).toBe(130)
    expect(out).toContain('drawn   seeds none   0 runs of 50 runs')
    expect(out).toContain('No seed was run, so there is no result.')
    expect(out).not.toContain('holds')
  })

  // S-221
  test.each(['1', '9'])('of %s seeds shows no interval, and says why', matrix, async (seeds) => {
    const few = `sim ${drawn} --seeds ${seeds} --no-report`
    const text = await home.printed(few)
    expect(text).toMatch(/^test runs +[\d.]+ {2}- +\d+ +\d+$/m)
    expect(text).toContain('Fewer than 10 runs have no interval: see the minimum and the maximum.')
    const { aggregate } = await home.document<CampaignDocument>(`${few} --json`)
    expect(aggregate['totals.testRuns']?.ci95).toBeNull()
  })

  // S-221
  test('of ten seeds shows intervals', matrix, async () => {
    const out = await home.printed(`sim ${drawn} --seeds 10 --no-report`)
    expect(out).toMatch(/^test runs +[\d.]+ {2}[\d.]+ to [\d.]+ +\d+ +\d+$/m)
    expect(out).not.toContain('Fewer than')
  })
})

// S-6, S-171
test('given --set, the difference comes first, run by run, and properties take one line', async () => {
  const seeds = `sim ${drawn} --seeds 10 --no-report`
  const set = `${seeds} --set queue.batch=true --set queue.batchingMinSize=4`
  const today = await home.document<CampaignDocument>(`${seeds} --json`)
  const out = await home.printed(set)
  const json = await home.document<ComparedDocument>(`${set} --json`)
  const meanIn = ({ aggregate }: CampaignDocument) => aggregate['totals.testRuns']?.mean ?? NaN
  const [before, after] = [meanIn(today), meanIn(json)]
  const [, difference, low, high, ...means] =
    /^test runs +([+-][\d.]+) {2}([+-][\d.]+) to ([+-][\d.]+) +([\d.]+) +([\d.]+)$/m.exec(out) ?? []
  expect(means.map(Number)).toEqual([before, after])
  expect(Number(difference)).toBeCloseTo(after - before, 6)
  expect(Number(low)).toBeLessThan(after - before)
  expect(Number(high)).toBeLessThan(0)
  expect(out.indexOf('difference')).toBeLessThan(out.indexOf('minimum'))
  expect(out.match(/properties|keeps-moving/g)).toEqual(['properties'])
  expect(await home.printed(seeds)).not.toContain('difference')
  expect(json.changes?.find(({ path }) => path === 'totals.testRuns')).toEqual({
    path: 'totals.testRuns',
    before,
    after,
    difference: expect.closeTo(after - before, 6),
    interval: [expect.closeTo(Number(low), 1), expect.closeTo(Number(high), 1)],
  })
})

test('the report of a campaign with --set says what is set, and what that changes', async () => {
  const set = `sim ${drawn} --seeds 3 --set queue.concurrency=1 --report set`
  const out = await home.printed(set)
  const page = home.read('set/seeds.html')
  expect(page).toContain('With <code>queue.concurrency=1</code>')
  const [, mean = ''] = /^time in queue, median +(\+.+?) {2}/m.exec(out) ?? []
  expect(mean).toMatch(/^\+[\d.]+ \w/)
  expect(page).toContain(`<td class="right">${mean}</td>`)
  const document = await home.documentIn<ComparedDocument>('set/seeds.json')
  expect(document).toEqual(await home.document<ComparedDocument>(`${set} --json`))
  expect(document.changes?.length).toBeGreaterThan(5)
})

// Runs are the same in other time zones, locales and processes.

const anywhere = home.scenario('anywhere', {
  seed: 7,
  queue: { concurrency: 3, batch: true, pendingFailureDepth: 1 },
  suite: { minutes: { median: 10, p95: 25 } },
  tieOrder: 'shuffled',
  traffic: {
    count: 80,
    breakRate: 0.1,
    conflictRate: 0.02,
    cancelRate: 0.1,
    flakyPullRequestRate: 0.1,
  },
  suiteFlakes: { perRun: 0.05, tests: [{ name: 'Äpfel > İstanbul', rate: 0.05 }] },
  faults: { lostRunRate: 0.02, lateResultMinutes: 2, mergeMinutes: 0.5, crashRate: 0.01 },
})

/** What a run and a campaign print in a process of its own that detects this number of cores. */
function printedOn(cores: number, environment: NodeJS.ProcessEnv): string {
  const { href } = new URL('../commands.js', import.meta.url)
  const script = `import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.availableParallelism = () => ${cores}
    syncBuiltinESMExports()
    const { runCommand } = await import(${JSON.stringify(href)})
    const { stdout, stderr, env } = process
    const { signal } = new AbortController()
    for (const seeds of [[], ['--seeds', '4']]) {
      const args = ['sim', '${anywhere}', '--json', '--no-report', ...seeds]
      process.exitCode ||= await runCommand(args, { stdout, stderr, env, signal })
    }`
  const file = `on-${cores}.mjs`
  home.write(file, script)
  const env = { ...process.env, INIT_CWD: home.path, ...environment }
  return execFileSync(process.execPath, [join(home.path, file)], { env, encoding: 'utf8' })
}

test('given another number of cores, time zone or locale, a run and a campaign are the same', () => {
  const here = printedOn(1, { TZ: 'UTC', LC_ALL: 'C' })
  expect(here).toMatch(/"traceHash"[^]*"ran": ?"1\.\.4"/)
  expect(printedOn(3, { TZ: 'Pacific/Chatham', LC_ALL: 'tr_TR.UTF-8' })).toBe(here)
})

test('given another order of pull requests in the file, the trace stays the same', () => {
  fc.assert(
    fc.property(anyScenario(), (any) => {
      const reversed = { ...any, pullRequests: [...(any.pullRequests ?? [])].reverse() }
      expect(simulate(reversed).traceHash).toBe(simulate(any).traceHash)
    }),
    { numRuns: 20 },
  )
})
