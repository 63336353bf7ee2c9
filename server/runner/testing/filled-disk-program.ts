/**
 * A server whose disk was filled by a test run until the server stopped. Argument: a folder. Prints whether the next
 * start works, and what it has left of the run.
 */

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startHosting } from '../../hosting/testing/hosted-server.ts'
import { mountDisk } from '../../testing/disks.ts'

const [folder = ''] = process.argv.slice(2)
const data = join(folder, 'data')
mkdirSync(data)
mountDisk(data, '2m')
await (await startHosting(data, [])).stop()
const slots = join(data, 'queues/main/slots')
mkdirSync(join(slots, '0/tree'), { recursive: true })
// The lock of the server that has stopped.
const lock = join(data, 'room')
writeFileSync(lock, Buffer.alloc(4_096))
try {
  writeFileSync(join(slots, '0/tree/much'), Buffer.alloc(4 << 20))
} catch {
  // It is full.
}
rmSync(lock)
const said = await startHosting(data, []).then(
  (server) => server.stop().then(() => 'started'),
  (error: unknown) => String(error),
)
process.stdout.write(JSON.stringify({ said, left: readdirSync(slots) }))
