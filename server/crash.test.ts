/**
 * `kill -9` at random instants under load: whatever was acknowledged is there afterwards, and
 * nothing is there that nobody asked for. MERGEYARD_CRASHES sets how often.
 */

import { expect, test } from 'vitest'
import { Client, main } from './testing/client.ts'
import { childToken, startChild, type ChildServer } from './testing/child-server.ts'
import { Contract } from './testing/contract.ts'
import { temporaryFolder } from './testing/running.ts'
import type * as wire from './wire.ts'

const crashes = Number(process.env['MERGEYARD_CRASHES'] ?? 20)
const longestLoadMs = 300
const clients = 8

/** Enough, now and then, to make the log grow to where snapshots are made of it. */
const many = Array.from({ length: 3_000 }, (_each, index) => `//package:target_${index}`)

/** What was asked for, and what of it was acknowledged. */
class Ledger {
  readonly asked = new Set<number>()
  readonly acknowledged = new Set<number>()
  /** By pull request: the verdict that was acknowledged. */
  readonly verdicts = new Map<number, 'MERGED' | 'FAILED'>()
  next = 1
}

/** Submits and reports until the server is gone. */
async function load(client: Client, ledger: Ledger): Promise<void> {
  try {
    for (;;) {
      const number = ledger.next++
      ledger.asked.add(number)
      await client.ok('submitPullRequest', { ...main, pr: { number, sha: `sha-${number}` } })
      ledger.acknowledged.add(number)
      if (number % 10 === 0) {
        await client.ok('setImpactedTargets', { ...main, pr: { number }, impactedTargets: many })
      }
      await reportOne(client, ledger)
    }
  } catch {
    // The connection broke: what was under way was not acknowledged.
  }
}

/** With one slot nobody restarts, so a verdict is the end of the pull request it is for. */
async function reportOne(client: Client, ledger: Ledger): Promise<void> {
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
  const [run] = testRuns
  const number = run?.testedPullRequests[0]?.prNumber ?? 0
  const outcome = number % 5 === 0 ? 'failed' : 'passed'
  const body = { testRunId: run?.testRunId, outcome }
  const { ignored } = await client.ok<wire.TestRunReported>('reportTestRun', body)
  if (ignored !== true) ledger.verdicts.set(number, outcome === 'passed' ? 'MERGED' : 'FAILED')
}

async function everybodyIn(client: Client): Promise<Map<number, string>> {
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

async function checkAgainst(client: Client, ledger: Ledger): Promise<void> {
  const found = await everybodyIn(client)
  const lost = [...ledger.acknowledged].filter((number) => !found.has(number))
  expect(lost, 'acknowledged, and lost').toEqual([])
  const invented = [...found.keys()].filter((number) => !ledger.asked.has(number))
  expect(invented, 'there, and never asked for').toEqual([])
  const changed = [...ledger.verdicts].filter(([number, state]) => found.get(number) !== state)
  expect(changed, 'verdicts acknowledged, and lost').toEqual([])
}

const clientOf = ({ url }: ChildServer): Client => new Client(url, childToken, new Contract())

/**
 * One server after another on one folder, each killed at some instant. Answers how much was
 * acknowledged, and the exit code of the last, which is asked to stop.
 */
async function crashAgainAndAgain(times: number): Promise<[number, number | null]> {
  const data = temporaryFolder()
  const ledger = new Ledger()
  let server = await startChild(data)
  await clientOf(server).ok('createQueue', { ...main, concurrency: 1 })
  for (let crash = 0; crash < times; crash++) {
    const client = clientOf(server)
    const loads = Array.from({ length: clients }, () => load(client, ledger))
    await new Promise((resolve) => {
      setTimeout(resolve, Math.random() * longestLoadMs)
    })
    server.process.kill('SIGKILL')
    await Promise.all([...loads, server.ended])
    server = await startChild(data)
    await checkAgainst(clientOf(server), ledger)
  }
  server.process.kill('SIGTERM')
  return [ledger.acknowledged.size, await server.ended]
}

test(
  `nothing acknowledged is lost in ${crashes} crashes`,
  { timeout: crashes * 10_000 },
  async () => {
    // Two at a time: most of a crash is waiting for the next start.
    const half = Math.ceil(crashes / 2)
    const both = [crashAgainAndAgain(half), crashAgainAndAgain(crashes - half)]
    for (const [acknowledged, exitCode] of await Promise.all(both)) {
      expect(acknowledged).toBeGreaterThan(half)
      expect(exitCode).toBe(0)
    }
  },
)
