/**
 * A store on a disk that fills up, then gets room. Argument: the data folder. Prints the fault of the
 * command log, that of a start on the full disk, and how many commands were acknowledged and restored.
 */

import { pino } from 'pino'
import { growDisk, mountDisk } from '../../testing/disks.ts'
import { entries, silent } from '../../testing/recording.ts'
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

const { registry, log, close } = await open()
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
growDisk(data, '8m')
const again = await open()
const restored = again.registry.sequence
await again.close()
process.stdout.write(
  JSON.stringify({ faults, lost: acknowledged - restored, isMany: acknowledged > 100 }),
)
