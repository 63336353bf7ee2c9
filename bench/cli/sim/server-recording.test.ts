/**
 * Records a real server, and replays the recording with the simulator in a separate process. The
 * events are the same, although the server restarted and had other queues as well.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Event } from '../../../engine/index.ts'
import { main } from '../../../server/testing/client.ts'
import { executable } from '../../benchmarks/served.ts'
import { start, temporaryFolder, type TestServer } from '../../../server/testing/test-server.ts'
import type * as wire from '../../../server/contract/wire.ts'

const other = { ...main, targetBranch: 'other' }

type ReplayOutput = { readonly code: number | null; readonly out: string; readonly err: string }

function sim(data: string, ...args: readonly string[]): ReplayOutput {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [executable, 'sim', '--against', data, '--no-report', ...args],
    { encoding: 'utf8', cwd: data },
  )
  return { code: status, out: stdout, err: stderr }
}

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

  const trace = join(data, 'trace.jsonl')
  const queue = ['--queue', 'GitHub.com/acme/shop:main']
  // The server still runs: a recording can be read while it grows.
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
  expect(out).toMatch(/^exact {2}\d+ commands replayed, 1 snapshot matched$/m)
  expect(out).toMatch(/^holds {2}\d+ properties, [\d,]+ checks$/m)
  //
  const { out: story } = sim(data, ...queue, '--why', '2')
  expect(story).toMatch(/Z {2}submitted.* \(by token --token\)$/m)
  expect(story).toMatch(/CANCELLED.* \(by token --token\)$/m)
  await after.stop()
})
