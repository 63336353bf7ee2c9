/**
 * Kills a server under load with SIGKILL, each time after another number of acknowledged calls. After a restart, all acknowledged
 * changes are present, and only requested ones. MERGEYARD_CRASHES sets the number of crashes.
 */

import { expect, test } from 'vitest'
import { Client, main } from '../../../server/testing/client.ts'
import { childToken, startChild, type ChildServer } from './testing/child-server.ts'
import { Contract } from '../../../server/testing/contract.ts'
import { temporaryFolder } from '../../../server/testing/test-server.ts'
import { sequenceOf } from '../../../sim/random/draw.ts'
import type * as wire from '../../../server/contract/wire.ts'

const crashes = Number(process.env['MERGEYARD_CRASHES'] ?? 3)
const mostAcknowledged = 40
const clients = 8

/** Large enough that the log sometimes reaches the size at which the server writes a snapshot. */
const many = Array.from({ length: 3_000 }, (_each, index) => `//package:target_${index}`)

/** The calls that clients made, and those that the server acknowledged. */
class CallRecord {
  readonly requests = new Set<number>()
  readonly acknowledged = new Set<number>()
  /** Acknowledged verdicts by pull request number. */
  readonly verdicts = new Map<number, 'MERGED' | 'FAILED'>()
  next = 1
  #left = 0
  #onLast: () => void = () => undefined

  acknowledge(number: number): void {
    this.acknowledged.add(number)
    if (--this.#left === 0) this.#onLast()
  }

  /** Settles when the server has acknowledged so many more submissions. */
  acknowledgements(count: number): Promise<void> {
    this.#left = count
    return new Promise((resolve) => {
      this.#onLast = resolve
    })
  }
}

/** Submits pull requests and reports runs until the server is killed. */
async function load(client: Client, calls: CallRecord): Promise<void> {
  try {
    for (;;) {
      const number = calls.next++
      calls.requests.add(number)
      await client.ok('submitPullRequest', { ...main, pr: { number, sha: `sha-${number}` } })
      calls.acknowledge(number)
      if (number % 10 === 0) {
        await client.ok('setImpactedTargets', { ...main, pr: { number }, impactedTargets: many })
      }
      await reportOne(client, calls)
    }
  } catch {
    // The connection broke: the calls in progress were not acknowledged.
  }
}

/** With one slot no group restarts, so a verdict ends its pull request. */
async function reportOne(client: Client, calls: CallRecord): Promise<void> {
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
  const [run] = testRuns
  const number = run?.testedPullRequests[0]?.prNumber ?? 0
  const outcome = number % 5 === 0 ? 'failed' : 'passed'
  const body = { testRunId: run?.testRunId, outcome }
  const { ignored } = await client.ok<wire.TestRunReported>('reportTestRun', body)
  if (ignored !== true) calls.verdicts.set(number, outcome === 'passed' ? 'MERGED' : 'FAILED')
}

async function statesIn(client: Client): Promise<Map<number, string>> {
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', main)
  const found = new Map(enqueuedPullRequests.map(({ prNumber, state }) => [prNumber, state]))
  let cursor: string | undefined
  do {
    const body = { ...main, take: 100, ...(cursor === undefined ? {} : { cursor }) }
    const page = await client.ok<wire.PullRequestPage>('listPullRequests', body)
    for (const { prNumber, state } of page.pullRequests) found.set(prNumber, state)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return new Map(found)
}

async function checkState(client: Client, calls: CallRecord): Promise<void> {
  const found = await statesIn(client)
  const lost = [...calls.acknowledged].filter((number) => !found.has(number))
  expect(lost, 'acknowledged but lost').toEqual([])
  const invented = [...found.keys()].filter((number) => !calls.requests.has(number))
  expect(invented, 'present but never requested').toEqual([])
  const changed = [...calls.verdicts].filter(([number, state]) => found.get(number) !== state)
  expect(changed, 'verdicts acknowledged but lost').toEqual([])
}

const clientOf = ({ url }: ChildServer): Client => new Client(url, childToken, new Contract())

/**
 * Starts servers one after another on the same folder and kills each under load. The last one stops
 * orderly. Returns the number of acknowledged submissions and the exit code of the last.
 */
async function crashRepeatedly(times: number, seed: number): Promise<[number, number | null]> {
  const draw = sequenceOf(seed, 'crashes of a server')
  const data = temporaryFolder()
  const calls = new CallRecord()
  let server = await startChild(data)
  await clientOf(server).ok('createQueue', { ...main, concurrency: 1 })
  for (let crash = 0; crash < times; crash++) {
    const client = clientOf(server)
    const acknowledged = calls.acknowledgements(1 + Math.floor(draw() * mostAcknowledged))
    const loads = Array.from({ length: clients }, () => load(client, calls))
    await acknowledged
    server.process.kill('SIGKILL')
    await Promise.all([...loads, server.ended])
    server = await startChild(data)
    await checkState(clientOf(server), calls)
  }
  server.process.kill('SIGTERM')
  return [calls.acknowledged.size, await server.ended]
}

test(`given ${crashes} crashes under load, no acknowledged change is lost`, async () => {
  // Two at a time, because most of a cycle is waiting for the next start.
  const half = Math.floor(crashes / 2)
  const both = [crashRepeatedly(half, 1), crashRepeatedly(crashes - half, 2)]
  for (const [acknowledged, exitCode] of await Promise.all(both)) {
    expect(acknowledged).toBeGreaterThanOrEqual(half)
    expect(exitCode).toBe(0)
  }
})
