/**
 * Backs up a server under load, kills it with SIGKILL, and goes on with the restored backup, again and
 * again. MERGEYARD_CRASHES sets the number of rounds.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { backUp, restore } from '../../../server/backup/backup.ts'
import type * as wire from '../../../server/contract/wire.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { Client, Contract } from '../../../server/testing/client.ts'
import { temporaryFolder } from '../../../server/testing/test-server.ts'
import { sequenceOf } from '../../../sim/random/draw.ts'
import { childToken, startChild, type ChildServer } from './testing/child-server.ts'
import { History, queueOf } from './testing/history/clients.ts'
import { faultsIn } from './testing/history/faults-in.ts'
import { foundIn } from './testing/history/found.ts'

const rounds = Number(process.env['MERGEYARD_CRASHES'] ?? 1)
const clients = 4
const leastPerRound = 20

const clientOf = ({ url }: ChildServer): Client => new Client(url, childToken, new Contract())

async function runIn(client: Client): Promise<string> {
  const { testRuns } = await client.ok<wire.TestRuns>(
    'getMergeQueueTestingDetails',
    queueOf('shop'),
  )
  return testRuns.at(-1)?.testRunId ?? 'none'
}

//
test(`given ${rounds} restores of backups under load, what was acknowledged before each is there, and later verdicts are refused`, async () => {
  const folder = temporaryFolder()
  let data = join(folder, '0')
  let server = await startChild(data)
  let client = clientOf(server)
  const history = new History(['shop'], () => [client], sequenceOf(1, 'restores of a server'))
  await client.ok('createQueue', { ...queueOf('shop'), concurrency: 1 })
  for (let round = 1; round <= rounds; round++) {
    const loading = history.load(clients)
    const enough = history.acknowledged + leastPerRound
    await expect.poll(() => history.acknowledged).toBeGreaterThan(enough)
    const file = join(folder, `${round}.tar`)
    const backedUpMs = performance.now()
    await backUp(dataFolder(data), file, new Date())
    // The next run begins after the backup, so the restored server has never heard of it.
    await client.ok('reportTestRun', { testRunId: await runIn(client), outcome: 'passed' })
    const lost = await runIn(client)
    await server.end('SIGKILL')
    history.end()
    await loading
    history.doubtSince(backedUpMs)

    const old = data
    data = join(folder, String(round))
    await restore(file, data, pino({ enabled: false }))
    // A hundred rounds of all of them would fill a disk.
    for (const path of [old, file]) rmSync(path, { recursive: true })
    server = await startChild(data)
    client = clientOf(server)
    expect(faultsIn(history.calls, await foundIn(client, 'shop'))).toEqual([])
    const verdict = { testRunId: lost, outcome: 'passed' }
    const { status, text } = await client.call('reportTestRun', verdict)
    expect([status, text]).toEqual([404, expect.stringContaining('of a lost epoch')])
  }
  expect(await server.end()).toBe(0)
})
