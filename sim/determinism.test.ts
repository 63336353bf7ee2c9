/** The same run anywhere: another time zone, another locale, another process. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { simulate } from './simulate.ts'
import { anyScenario } from './testing/any-scenario.ts'
import { scenarioOf } from './testing/played.ts'

const scenario = scenarioOf({
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

/** The trace hash of the scenario, run by a process of its own in this environment. */
function hashIn(environment: NodeJS.ProcessEnv): string {
  const module = new URL('./simulate.js', import.meta.url).href
  const script = `import { simulate } from ${JSON.stringify(module)}
    process.stdout.write(simulate(${JSON.stringify(scenario)}).traceHash)`
  const env = { ...process.env, ...environment }
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { env }).toString()
}

test('neither time zone nor locale changes a run', () => {
  const { traceHash } = simulate(scenario)
  expect(hashIn({ TZ: 'Pacific/Chatham', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' })).toBe(
    traceHash,
  )
  expect(hashIn({ TZ: 'America/St_Johns', LC_ALL: 'C', LANG: 'C' })).toBe(traceHash)
})

const folder = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What a campaign prints, by a process of its own that finds so many cores. */
function campaignOn(cores: number, environment: NodeJS.ProcessEnv): string {
  const { href } = new URL('./command-line/main.js', import.meta.url)
  const script = `import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.availableParallelism = () => ${cores}
    syncBuiltinESMExports()
    const { main } = await import(${JSON.stringify(href)})
    const { stdout, stderr, env } = process
    const { signal } = new AbortController()
    const args = ['--seeds', '60', '--json', '--no-report']
    process.exitCode = await main(args, { stdout, stderr, env, signal })`
  const file = join(folder, `on-${cores}.mjs`)
  writeFileSync(file, script)
  const env = { ...process.env, ...environment }
  return execFileSync(process.execPath, [file], { env, encoding: 'utf8' })
}

test('neither cores nor time zone nor locale change a campaign', () => {
  const alone = campaignOn(1, { TZ: 'UTC', LC_ALL: 'C' })
  expect(JSON.parse(alone)).toMatchObject({ scenario: 'swarm', seeds: 60, ran: '1..60' })
  expect(campaignOn(3, { TZ: 'Pacific/Chatham', LC_ALL: 'tr_TR.UTF-8' })).toBe(alone)
})

test('any scenario is the same twice', () => {
  fc.assert(
    fc.property(anyScenario, (any) => {
      expect(simulate(any)).toEqual(simulate(any))
    }),
    { numRuns: 50 },
  )
})

test('crashes and rebuilding never show in any scenario', () => {
  fc.assert(
    fc.property(anyScenario, (any) => {
      const crashing = { ...any, faults: { ...any.faults, crashRate: 0.3 } }
      expect(simulate(crashing).traceHash).toBe(simulate(any).traceHash)
    }),
    { numRuns: 100 },
  )
})

test('the order of pull requests in the file never shows', () => {
  fc.assert(
    fc.property(anyScenario, (any) => {
      const reversed = { ...any, pullRequests: [...(any.pullRequests ?? [])].reverse() }
      expect(simulate(reversed).traceHash).toBe(simulate(any).traceHash)
    }),
    { numRuns: 50 },
  )
})
