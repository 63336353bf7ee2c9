/**
 * Kills a server under load with SIGKILL, each time after another number of acknowledged calls. After a restart, all acknowledged
 * changes are present, and only requested ones. MERGEYARD_CRASHES sets the number of crashes.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { expect, test, onTestFinished } from 'vitest'
import { pino } from 'pino'
import type { Client } from '../../../server/testing/client.ts'
import { backUp, restore } from '../../../server/backup/backup.ts'
import { writeEndpoints } from '../../../server/webhooks/message.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { sequenceOf } from '../../../sim/random/draw.ts'
import { clientOf, startChild } from '../testing/program.ts'
import { History, queueOf, foundIn } from './testing/history/clients.ts'
import { faultsIn } from './testing/history/faults-in.ts'
import type * as wire from '../../../server/contract/wire.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { matrix } from '../../../engine/testing/matrix.ts'
import { recover } from '../../../server/store/recover.ts'
import { ManualTimers } from '../../../server/testing/manual-timers.ts'
import { receiver } from '../../../server/testing/receiver.ts'
import { entries, recorded, silent } from '../../../server/testing/recording.ts'
import { OutboxFile } from '../../../server/webhooks/outbox.ts'
import { Webhooks } from '../../../server/webhooks/webhooks.ts'

const crashes = Number(process.env['MERGEYARD_CRASHES'] ?? 3)
const mostAcknowledged = 40
const clients = 8

/** Large enough that the log sometimes reaches the size at which the server writes a snapshot. */
const many = Array.from({ length: 3_000 }, (_each, index) => `//package:target_${index}`)

/**
 * Starts servers one after another on the same folder and kills each under load. The last one stops
 * orderly. Returns the number of acknowledged changes and the exit code of the last.
 */
async function crashRepeatedly(times: number, seed: number): Promise<[number, number | null]> {
  const draw = sequenceOf(seed, 'crashes of a server')
  const data = temporaryFolder()
  const started = async () => {
    const server = await startChild(data)
    return { server, client: clientOf(server) }
  }
  let running = await started()
  // With one slot no group restarts, so a verdict ends its pull request.
  await running.client.ok('createQueue', { ...queueOf('shop'), concurrency: 1 })
  const history = new History(['shop'], () => [running.client], draw, many)
  const load = history.load(clients)
  for (let crash = 0; crash < times; crash++) {
    const enough = history.acknowledged + 1 + Math.floor(draw() * mostAcknowledged)
    await expect.poll(() => history.acknowledged, { interval: 1 }).toBeGreaterThanOrEqual(enough)
    await running.server.end('SIGKILL')
    running = await started()
  }
  history.end()
  await load
  expect(faultsIn(history.calls, await foundIn(running.client, 'shop'))).toEqual([])
  return [history.acknowledged, await running.server.end()]
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

// Backs up a server under load, kills it with SIGKILL, and goes on with the restored backup, again and
// again. MERGEYARD_CRASHES sets the number of rounds.

const rounds = Number(process.env['MERGEYARD_CRASHES'] ?? 1)
const restoringClients = 4
const leastPerRound = 20

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
    const loading = history.load(restoringClients)
    const enough = history.acknowledged + leastPerRound
    await expect.poll(() => history.acknowledged).toBeGreaterThan(enough)
    const file = join(folder, `${round}.tar`)
    const backedUpMs = performance.now()
    await backUp(dataFolder(data), file, new Date())
    // The next run begins after the backup, so the restored server does not know it.
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

test('messages of old segments of the log reach the webhook', matrix, async () => {
  const all = entries()
  const folder = recorded(all, 20, 40)
  const { endpoint, received, untilReceived } = await receiver(undefined, {
    events: ['pull_request.submitted'],
  })
  await writeEndpoints(folder.webhooks, [endpoint])
  // The outbox has processed only the first 10 entries.
  const outbox = await OutboxFile.open(folder.outbox, (error) => expect(error).toBeNull())
  outbox.add({ line: 'endpoint', endpoint: endpoint.id })
  outbox.add({ line: 'through', sequence: 10 })
  await outbox.close()
  const { registry } = await recover(folder, silent)

  const logger = pino({ level: 'silent' })
  const webhooks = await Webhooks.open(folder, registry, { logger, timers: new ManualTimers() })
  onTestFinished(() => webhooks.close())

  const submitted = all.flatMap(({ sequence, command }) =>
    sequence > 10 && command.type === 'submitPullRequest' ? [command.number] : [],
  )
  await untilReceived(submitted.length)
  const numbers = received.map(({ number }) => number ?? 0).sort((a, b) => a - b)
  expect(numbers).toEqual(submitted)
})
