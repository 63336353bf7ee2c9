/**
 * Test runs on a disk of 8 MiB and 1,000 inodes that then grows. Arguments: a folder, a bare repository, and a commit. The
 * command writes 16 MiB if the run is called `greedy`, makes 1,000 files in `numerous`, and mounts a disk in its slot if it is called `mounting`.
 * Prints how each run ended, what was said about slots,
 * which there are, and which the runner leaves on a full disk.
 */

import { mkdirSync, openSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { growDisk, mountDisk } from '../../testing/disks.ts'
import { CommandRunner, onlyCommand } from '../command-runner.ts'
import { isNearlyFull } from '../room.ts'
import { noReports } from '../verdict.ts'

const [folder = '', mirror = '', commit = ''] = process.argv.slice(2)
const disk = join(folder, 'disk')
mkdirSync(disk)
mountDisk(disk, '8m,nr_inodes=1000')
const words: string[] = []
const runner = new CommandRunner({
  slots: join(disk, 'slots'),
  logs: join(folder, 'runs'),
  mirror,
  command:
    'case "$MERGEYARD_RUN" in *mounting) mkdir m; mount -t tmpfs tmpfs m;; esac; case "$MERGEYARD_RUN" in greedy*) head -c 16777216 /dev/zero > much;; numerous) for i in $(seq 1000); do : > $i; done;; esac',
  bubblewrap: false,
  ...onlyCommand,
  readReports: noReports,
  leastFreeBytes: 1 << 20,
  onSlotFault: (each) => words.push(each),
})

async function ended(id: string): Promise<string> {
  try {
    const verdict = await runner.test({ id, commit, numbers: [7], base: '' })
    return verdict?.outcome ?? 'cancelled'
  } catch (error) {
    return String(error)
  }
}

const told: string[] = []
for (const id of ['greedy', 'numerous', 'modest', 'greedy-and-mounting']) told.push(await ended(id))
growDisk(disk, '64m')
told.push(await ended('greedy-again'), await ended('modest-again'))
const slots = readdirSync(join(disk, 'slots'))
const filler = openSync(join(disk, 'filler'), 'w')
while (!isNearlyFull(disk, 1 << 20)) writeSync(filler, Buffer.alloc(1 << 18))
await runner.close()
const closed = readdirSync(join(disk, 'slots'))
process.stdout.write(JSON.stringify({ told, words, slots, closed }))
