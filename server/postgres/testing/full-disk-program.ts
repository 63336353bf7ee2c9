/**
 * A program for a test: a server whose PostgreSQL is on a disk that becomes full, and is made larger then. Prints
 * what the clients were told.
 */

import { statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { serverDefaults } from '../../server-defaults.ts'
import { startSharedServer } from '../../shared-server.ts'
import { Client, main, Contract } from '../../testing/client.ts'
import { growDisk, mountDisk } from '../../testing/disks.ts'
import { PrivatePostgres } from './private-postgres.ts'

const [folder = ''] = process.argv.slice(2)
const token = 'admin'

const mostSubmissions = 5_000
const leftBytes = 40_000
const pauseMs = 100
const mostPauses = 300

mountDisk(folder, '160m')
// The temporary folder of this process, and so of the PostgreSQL that it starts.
process.env['TMPDIR'] = folder
const postgres = await PrivatePostgres.start()
const store = await postgres.database('small')
const server = await startSharedServer(
  { ...serverDefaults, port: 0, token, store },
  { logger: pino({ enabled: false }), onFirstToken: () => undefined },
)
const client = new Client(server.url, token, new Contract())
await client.ok('createQueue', { ...main, state: 'PAUSED' })

const acknowledged: number[] = []
let number = 0
async function submit(): Promise<number> {
  number++
  // Filling the disk can hold this process, and so the server, for longer than the server keeps a connection.
  const headers = { connection: 'close' }
  const { status } = await client.call(
    'submitPullRequest',
    { ...main, pr: { number } },
    { headers },
  )
  if (status === 200) acknowledged.push(number)
  return status
}

for (let count = 0; count < 10; count++) await submit()
const { bavail, bsize } = statfsSync(folder)
writeFileSync(join(folder, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)))
let refusal = 200
while (refusal === 200 && number < mostSubmissions) refusal = await submit()

growDisk(folder, '400m')
let afterwards = 0
for (let tries = 0; afterwards !== 200 && tries < mostPauses; tries++) {
  await pause(pauseMs)
  afterwards = await submit()
}
const lost: number[] = []
for (const each of acknowledged) {
  const asked = await client.call('getSubmittedPullRequest', { ...main, pr: { number: each } })
  if (asked.status !== 200) lost.push(each)
}
await server.stop()
await postgres.remove()
process.stdout.write(
  JSON.stringify({ refusal, afterwards, lost, wasFilled: acknowledged.length > 10 }),
)
