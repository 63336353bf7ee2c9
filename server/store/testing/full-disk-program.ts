/**
 * A store on a disk that fills up to the last byte, then gets room. Argument: the data folder. Prints the fault
 * of the command log, of a start, of a backup, of a restoration and of a lock on the full disk, the files that the lock
 * left, and how many commands were acknowledged and restored.
 */

import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { growDisk, mountDisk } from '../../testing/disks.ts'
import { entries, silent } from '../../testing/recording.ts'
import { backUp, restore } from '../../backup/backup.ts'
import { takeLock } from '../../files/lock.ts'
import { dataFolder, makeDataFolder } from '../data-folder.ts'
import { openStore, type Store } from '../store.ts'

const [data = ''] = process.argv.slice(2)
mountDisk(data, '256k')
const folder = dataFolder(data)
makeDataFolder(folder)
const [createQueue] = entries()
if (!createQueue) throw new Error('the recording is empty')
const { queue, at } = createQueue
const faults: string[] = []

function open(): Promise<Store> {
  const ports = {
    logger: pino({ enabled: false }),
    keepDays: null,
    ports: silent,
    onFailure: ({ cause }: Error) => void faults.push(cause instanceof Error ? cause.message : ''),
  }
  return openStore(folder, ports)
}

/** The system writes as much as there is room for. */
function fillUp(path: string): void {
  try {
    writeFileSync(path, Buffer.alloc(1 << 20))
  } catch {
    // It is full.
  }
}

const { registry, log, close } = await open()
const saved = `${data}.tar`
await backUp(folder, saved, new Date(0))
let acknowledged = 0
for (let sequence = 1; log.failure === null; sequence++) {
  const submit = { type: 'submitPullRequest', number: sequence, sha: `sha-${sequence}` } as const
  const entry = sequence === 1 ? createQueue : { sequence, at, queue, command: submit }
  if (!registry.apply(entry).accepted) throw new Error(`command ${sequence} is not accepted`)
  log.append(entry)
  await log.durable()?.then(
    () => acknowledged++,
    () => undefined,
  )
}
await close().catch(() => undefined)
await open().catch(
  (error: unknown) => void faults.push(error instanceof Error ? error.message : ''),
)
fillUp(join(data, 'rest'))
for (const copy of [
  () => backUp(folder, join(data, 'again.tar'), new Date(0)),
  () => restore(saved, join(data, 'restored'), pino({ enabled: false })),
]) {
  await copy().catch((error: unknown) => faults.push(error instanceof Error ? error.message : ''))
}
rmSync(saved)
try {
  takeLock(folder.lock)
} catch (error) {
  faults.push(error instanceof Error ? error.message : '')
}
const locks = readdirSync(data).filter((name) => name.startsWith('lock'))
growDisk(data, '8m')
const again = await open()
const restored = again.registry.sequence
await again.close()
process.stdout.write(
  JSON.stringify({ faults, locks, lost: acknowledged - restored, isMany: acknowledged > 100 }),
)
