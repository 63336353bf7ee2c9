/**
 * A real server, recorded, and replayed by the simulator as a process of its own: to the very same
 * events, though it was stopped, started and told about other queues in between.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Event } from '../engine/index.ts'
import { main } from './testing/client.ts'
import { start, temporaryFolder, type TestServer } from './testing/running.ts'
import type * as wire from './wire.ts'

const program = fileURLToPath(new URL('../sim/cli.js', import.meta.url))
const other = { ...main, targetBranch: 'other' }

type Replayed = { readonly code: number | null; readonly out: string; readonly err: string }

function sim(data: string, ...args: readonly string[]): Replayed {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, '--against', data, '--no-report', ...args],
    { encoding: 'utf8', cwd: data },
  )
  return { code: status, out: stdout, err: stderr }
}

/** Every event that the queue of `main` publishes from now on. */
function heard({ yard }: TestServer, events: Event[]): void {
  yard.subscribe(({ queue, events: more }) => {
    if (queue?.targetBranch === main.targetBranch) events.push(...more)
  })
}

const submit = ({ client }: TestServer, queue: wire.QueueRef, number: number): Promise<unknown> =>
  client.ok('submitPullRequest', { ...queue, pr: { number, sha: `sha-${number}` } })

/** Reports on every run under way: it fails with one of these in it, its tests named. */
async function reportAll({ client }: TestServer, breaking: readonly number[]): Promise<number> {
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
  for (const { testRunId, testedPullRequests, dependentPrs } of testRuns) {
    const held = [...dependentPrs, ...testedPullRequests.map(({ prNumber }) => prNumber)]
    const fails = held.some((number) => breaking.includes(number))
    const verdict = fails
      ? { outcome: 'failed', failedTests: [{ name: 'pays twice' }] }
      : { outcome: 'passed', url: 'https://ci.example/1' }
    await client.ok('reportTestRun', { testRunId, ...verdict })
    // A second report comes too late, and is no command of the queue.
    await client.ok('reportTestRun', { testRunId, outcome: 'failed' })
  }
  return testRuns.length
}

/** A day in which everything happens: batches, a bisection, a push of settings, a cancel. */
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

test('a recording is replayed to the very same events, and tells how it went', async () => {
  const data = temporaryFolder()
  const before = await start(data)
  // What was before it under the same name is another queue.
  await before.client.ok('createQueue', main)
  await submit(before, main, 99)
  await before.client.ok('cancelPullRequest', { ...main, pr: { number: 99 } })
  await before.client.ok('deleteQueue', main)
  const events: Event[] = []
  heard(before, events)
  await morning(before)
  await before.stop()
  const after = await start(data)
  heard(after, events)
  await afternoon(after)

  const trace = join(data, 'trace.jsonl')
  const queue = ['--queue', 'GitHub.com/acme/shop:main']
  // The server is still there: a recording can be read while it grows.
  const { code, out, err } = sim(data, ...queue, '--trace', trace)
  expect([code, err, out]).toEqual([0, '', expect.any(String)])
  const lines = readFileSync(trace, 'utf8').trimEnd().split('\n')
  const replayed = lines.flatMap((line) => {
    const { event }: { event?: Event } = JSON.parse(line)
    return event ?? []
  })
  expect(events.length).toBeGreaterThan(100)
  expect(replayed).toEqual(events)
  expect(out).toMatch(/^github\.com\/acme\/shop:main {3}recorded from 20/)
  expect(out).toMatch(/^ {2}merged +11$/m)
  expect(out).toMatch(/^exact {2}\d+ commands replayed, 1 snapshot found the same$/m)
  expect(out).toMatch(/^holds {2}\d+ properties, [\d,]+ checks$/m)
  await after.stop()
})
