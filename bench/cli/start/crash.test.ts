/**
 * Kills a server under load with SIGKILL, each time after another number of acknowledged calls. After a restart, all acknowledged
 * changes are present, and only requested ones. MERGEYARD_CRASHES sets the number of crashes.
 */

import { expect, test } from 'vitest'
import { Client, Contract } from '../../../server/testing/client.ts'
import { temporaryFolder } from '../../../server/testing/test-server.ts'
import { sequenceOf } from '../../../sim/random/draw.ts'
import { childToken, startChild } from './testing/child-server.ts'
import { History, queueOf } from './testing/history/clients.ts'
import { faultsIn } from './testing/history/faults-in.ts'
import { foundIn } from './testing/history/found.ts'

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
  const contract = new Contract()
  const started = async () => {
    const server = await startChild(data)
    return { server, client: new Client(server.url, childToken, contract) }
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
