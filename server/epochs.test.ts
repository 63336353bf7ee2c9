/** A folder that is restored from an older copy: what the lost hours handed out is refused. */

import { cpSync } from 'node:fs'
import { expect, test } from 'vitest'
import { main } from './testing/client.ts'
import { start, temporaryFolder, type TestServer } from './testing/test-server.ts'
import type * as wire from './contract/wire.ts'

const never = 4_294_967_295

async function runOf(server: TestServer, number: number): Promise<string> {
  const runs = await server.client.runs()
  const run = runs.find(({ testedPullRequests: [first] }) => first?.prNumber === number)
  return run?.testRunId ?? 'none'
}

async function stateOf({ client }: TestServer, number: number): Promise<string> {
  const body = { ...main, pr: { number } }
  return (await client.ok<wire.SubmittedPullRequest>('getSubmittedPullRequest', body)).state
}

function copyOf(data: string): string {
  const copy = temporaryFolder()
  // The lock says that the first server runs, which is true, but of the other folder.
  cpSync(data, copy, { recursive: true, filter: (path) => !path.endsWith('/lock') })
  return copy
}

async function withQueue(): Promise<TestServer> {
  const server = await start(temporaryFolder())
  const settings = { concurrency: 4, testingTimeoutMinutes: never }
  await server.client.ok('createQueue', { ...main, ...settings })
  return server
}

const passed = (testRunId: string): object => ({ testRunId, outcome: 'passed' })

const statusOf = async ({ client }: TestServer, body: object): Promise<[number, string]> => {
  const { status, text } = await client.call('reportTestRun', body)
  return [status, text]
}

//
test('given a restored copy, a late verdict of a lost run is refused by name, and nothing merges untested', async () => {
  const server = await withQueue()
  await server.client.submit(1)
  await server.stop()
  const copy = copyOf(server.data)

  const lostHours = await start(server.data)
  await lostHours.client.submit(2)
  const lost = await runOf(lostHours, 2)
  await lostHours.stop()

  const restored = await start(copy)
  await restored.client.submit(3)
  // It has the number of the lost run, but another id.
  const fresh = await runOf(restored, 3)
  expect(fresh.slice(-8)).toBe(lost.slice(-8))
  expect(fresh).not.toBe(lost)
  const [status, text] = await statusOf(restored, passed(lost))
  expect(status).toBe(404)
  expect(text).toMatch(
    /is of a lost epoch \([0-9a-f]{10}\): the data was restored from an older copy/,
  )
  expect(await stateOf(restored, 3)).toBe('TESTING')
  await restored.client.ok('reportTestRun', passed(await runOf(restored, 1)))
  await restored.client.ok('reportTestRun', passed(fresh))
  expect(await stateOf(restored, 3)).toBe('MERGED')
  await restored.stop()
})

//
test('given a copy of a running server, runs of the same epoch after the copy are lost as well', async () => {
  const server = await withQueue()
  await server.client.submit(1)
  const copy = copyOf(server.data)
  await server.client.submit(2)
  const lost = await runOf(server, 2)
  await server.stop()

  const restored = await start(copy)
  expect((await statusOf(restored, passed(lost)))[1]).toContain('is of a lost epoch')
  await restored.client.submit(3)
  expect((await statusOf(restored, passed(lost)))[1]).toContain('is of a lost epoch')
  expect(await stateOf(restored, 3)).toBe('TESTING')
  await restored.stop()
})

//
test('ids that were handed out before a start stay valid after it', async () => {
  const server = await withQueue()
  await server.client.submit(1)
  const first = await runOf(server, 1)
  await server.stop()
  const again = await start(server.data)
  await again.client.submit(2)
  const second = await runOf(again, 2)
  expect(await runOf(again, 1)).toBe(first)
  expect(second.slice(14, -8)).not.toBe(first.slice(14, -8))
  for (const id of [first.toUpperCase(), second]) await again.client.ok('reportTestRun', passed(id))
  expect(await stateOf(again, 2)).toBe('MERGED')
  await again.stop()
})

//
test('an id that no server handed out is unknown, not lost', async () => {
  const server = await withQueue()
  await server.client.submit(1)
  const id = await runOf(server, 1)
  const text = `${id.slice(0, -1)}9`
  expect(await statusOf(server, passed(text))).toEqual([404, `there is no test run "${text}"`])
  await server.stop()
})
