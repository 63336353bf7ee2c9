/** Runs are the same in other time zones, locales and processes. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { simulate } from '../../../sim/run/simulate.ts'
import { anyScenario } from '../../../sim/arbitrary/any-scenario.ts'
import { scenarioOf } from '../../../sim/testing/simulated.ts'

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

/** Returns the trace hash of the scenario, run in a separate process with this environment. */
function hashIn(environment: NodeJS.ProcessEnv): string {
  const module = new URL('../../../sim/run/simulate.js', import.meta.url).href
  const script = `import { simulate } from ${JSON.stringify(module)}
    process.stdout.write(simulate(${JSON.stringify(scenario)}).traceHash)`
  const env = { ...process.env, ...environment }
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { env }).toString()
}

test('given another time zone or locale, a run is the same', () => {
  const { traceHash } = simulate(scenario)
  expect(hashIn({ TZ: 'Pacific/Chatham', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' })).toBe(
    traceHash,
  )
  expect(hashIn({ TZ: 'America/St_Johns', LC_ALL: 'C', LANG: 'C' })).toBe(traceHash)
})

const folder = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the output of a campaign in a separate process that detects this number of cores. */
function campaignOn(cores: number, environment: NodeJS.ProcessEnv): string {
  const { href } = new URL('../commands.js', import.meta.url)
  const script = `import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.availableParallelism = () => ${cores}
    syncBuiltinESMExports()
    const { runCommand } = await import(${JSON.stringify(href)})
    const { stdout, stderr, env } = process
    const { signal } = new AbortController()
    const args = ['sim', '--seeds', '4', '--json', '--no-report']
    process.exitCode = await runCommand(args, { stdout, stderr, env, signal })`
  const file = join(folder, `on-${cores}.mjs`)
  writeFileSync(file, script)
  const env = { ...process.env, ...environment }
  return execFileSync(process.execPath, [file], { env, encoding: 'utf8' })
}

test('given another number of cores, time zone or locale, a campaign is the same', matrix, () => {
  const alone = campaignOn(1, { TZ: 'UTC', LC_ALL: 'C' })
  expect(JSON.parse(alone)).toMatchObject({ scenario: 'swarm', seeds: 4, ran: '1..4' })
  expect(campaignOn(3, { TZ: 'Pacific/Chatham', LC_ALL: 'tr_TR.UTF-8' })).toBe(alone)
})

test('given any scenario, two runs are the same', () => {
  fc.assert(
    fc.property(anyScenario(), (any) => {
      expect(simulate(any)).toEqual(simulate(any))
    }),
    { numRuns: 20 },
  )
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
