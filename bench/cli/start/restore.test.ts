/**
 * Backs up a server under load, kills it with SIGKILL, and goes on with the restored backup, again and
 * again. MERGEYARD_CRASHES sets the number of rounds.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { backUp } from '../../../server/backup/back-up.ts'
import { restore } from '../../../server/backup/restore.ts'
import type * as wire from '../../../server/contract/wire.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { Client, main } from '../../../server/testing/client.ts'
import { Contract } from '../../../server/testing/contract.ts'
import { temporaryFolder } from '../../../server/testing/test-server.ts'
import { childToken, startChild, type ChildServer } from './testing/child-server.ts'

const rounds = Number(process.env['MERGEYARD_CRASHES'] ?? 1)
const clients = 4
const leastPerRound = 20

const clientOf = ({ url }: ChildServer): Client => new Client(url, childToken, new Contract())

class Load {
  readonly requested = new Set<number>()
  readonly acknowledged = new Set<number>()
  next = 1

  /** Submits until the server is killed. `onEnough` is called after some acknowledgements. */
  async run(client: Client, onEnough: () => void): Promise<void> {
    let left = leastPerRound
    const submitAll = async (): Promise<void> => {
      for (;;) {
        const number = this.next++
        this.requested.add(number)
        await client.ok('submitPullRequest', { ...main, pr: { number } })
        this.acknowledged.add(number)
        if (left-- === 0) onEnough()
      }
    }
    const loads = Array.from({ length: clients }, submitAll)
    await Promise.allSettled(loads)
  }
}

async function numbersIn(client: Client): Promise<Set<number>> {
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', main)
  return new Set(enqueuedPullRequests.map(({ prNumber }) => prNumber))
}

async function runIn(client: Client): Promise<string> {
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', main)
  return testRuns.at(-1)?.testRunId ?? 'none'
}

//
test(`given ${rounds} restores of backups under load, what was acknowledged before each is there, and later verdicts are refused`, async () => {
  const load = new Load()
  const folder = temporaryFolder()
  let data = join(folder, '0')
  let server = await startChild(data)
  await clientOf(server).ok('createQueue', { ...main, concurrency: 1 })
  for (let round = 1; round <= rounds; round++) {
    const client = clientOf(server)
    let onEnough = (): void => undefined
    const isLoaded = new Promise<void>((resolve) => (onEnough = resolve))
    const loading = load.run(client, onEnough)
    await isLoaded
    const before = new Set(load.acknowledged)
    const file = join(folder, `${round}.tar`)
    await backUp(dataFolder(data), file, new Date())
    // The next run begins after the backup, so the restored server has never heard of it.
    await client.ok('reportTestRun', { testRunId: await runIn(client), outcome: 'passed' })
    const lost = await runIn(client)
    server.process.kill('SIGKILL')
    await Promise.all([loading, server.ended])

    const old = data
    data = join(folder, String(round))
    await restore(file, data, pino({ enabled: false }))
    // A hundred rounds of all of them would fill a disk.
    for (const path of [old, file]) rmSync(path, { recursive: true })
    server = await startChild(data)
    const found = await numbersIn(clientOf(server))
    expect([...before].filter((number) => !found.has(number))).toEqual([])
    expect([...found].filter((number) => !load.requested.has(number))).toEqual([])
    const verdict = { testRunId: lost, outcome: 'passed' }
    const { status, text } = await clientOf(server).call('reportTestRun', verdict)
    expect([status, text]).toEqual([404, expect.stringContaining('of a lost epoch')])
    // What the backup does not hold was acknowledged by a server that is gone.
    for (const number of load.acknowledged) if (!found.has(number)) load.acknowledged.delete(number)
  }
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
