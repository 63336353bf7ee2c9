/**
 * A server whose mirrors and whose slots are on disks that are too small. Arguments: the data folder, and
 * the repository with the branch `big`, which is pushed as `queue/big`. Prints what the status told, and how the queue ended.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Event } from '../../../engine/index.ts'
import { nameOfQueue } from '../../identity/queue-ref.ts'
import { testsWith } from '../../testing/repository.ts'
import { growDisk, mountDisk } from '../../testing/disks.ts'
import { endWhenStuck, startHosting } from './hosted-server.ts'

const [data = '', url = ''] = process.argv.slice(2)
const ref = { host: 'local', owner: 'acme', name: 'shop', targetBranch: 'main' }
const name = nameOfQueue(ref)

const disks = { mirrors: join(data, 'mirrors'), queues: join(data, 'queues') }
for (const disk of Object.values(disks)) {
  mkdirSync(disk, { recursive: true })
  mountDisk(disk, '1m')
}
const tests = testsWith('sh test.sh')
const server = await startHosting(data, [{ ref, url, set: {}, pollMs: 50, tests }])
const events: Event[] = []
server.manager.subscribe((applied) => void events.push(...applied.events))
endWhenStuck(() => ({ status: server.hosts.of(name)?.status(), events }))

/** Settles when the status tells of a fault with these words. */
async function told(words: RegExp): Promise<string> {
  for (;;) {
    const found = words.exec(server.hosts.of(name)?.status().faults.join() ?? '')
    if (found) return found[0]
    await setTimeout(20)
  }
}

while ((server.hosts.of(name)?.status().lastLookAt ?? null) === null) await setTimeout(20)
spawnSync('git', ['--git-dir', url, 'branch', 'queue/big', 'big'])
const faults = [await told(/No space left on device/)]
growDisk(disks.mirrors, '64m')
faults.push(await told(/too little of the disk is free/))
growDisk(disks.queues, '2g')
await new Promise<void>((resolve) => {
  const check = (): void => {
    const all = server.manager.registry.find(name)?.engine.queue.pullRequests ?? {}
    if (all[1]?.state === 'MERGED') resolve()
  }
  server.manager.subscribe(check)
  check()
})
const after = server.hosts.of(name)?.status().faults
await server.stop()
const moves = events.flatMap((event) => (event.type === 'pullRequestMoved' ? [event.to] : []))
process.stdout.write(JSON.stringify({ faults, moves, after }))
