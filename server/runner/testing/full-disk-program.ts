/**
 * Test runs on a disk of 8 MiB that then grows. Arguments: a folder, a bare repository, and a commit. The
 * command writes 16 MiB if the run is called `greedy`, and mounts a disk in its slot if it is called `mounting`.
 * Prints how each run ended, what was said about slots, and which there are.
 */

import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { growDisk, mountDisk } from '../../testing/disks.ts'
import { CommandRunner, onlyCommand } from '../command-runner.ts'
import { noReports } from '../verdict.ts'

const [folder = '', mirror = '', commit = ''] = process.argv.slice(2)
const disk = join(folder, 'disk')
mkdirSync(disk)
mountDisk(disk, '8m')
const words: string[] = []
const runner = new CommandRunner({
  slots: join(disk, 'slots'),
  logs: join(folder, 'runs'),
  mirror,
  command:
    'case "$MERGEYARD_RUN" in *mounting) mkdir m; mount -t tmpfs tmpfs m;; esac; case "$MERGEYARD_RUN" in greedy*) head -c 16777216 /dev/zero > much;; esac',
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

const told = [await ended('greedy'), await ended('modest'), await ended('greedy-and-mounting')]
growDisk(disk, '64m')
told.push(await ended('greedy-again'), await ended('modest-again'))
process.stdout.write(JSON.stringify({ told, words, slots: readdirSync(join(disk, 'slots')) }))
