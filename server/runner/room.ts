/** Room on the disk: what runs have written makes way where the server itself would have none. */

import { existsSync, readdirSync, realpathSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { queueFolders } from '../files/notes.ts'
import { killRunsIn } from './process-group.ts'

/** With less of the disk nothing is tested. */
const leastFreeBytes = 1 << 30

export function isNearlyFull(path: string, least = leastFreeBytes): boolean {
  const { bavail, bsize, files, ffree } = statfsSync(path)
  // A file system without a limit of inodes says 0.
  return bavail * bsize < least || ffree * 100 < files
}

/** The folders of a queue with slots. */
const slotFolders = ['slots', 'targets'] as const

/**
 * On a disk that is nearly full, removes the slots of an earlier server in a data folder: they would be made anew
 * anyhow, and the log may have no room beside them.
 */
export async function makeRoom(data: string): Promise<void> {
  const queues = queueFolders(data)
  if (!existsSync(queues) || !isNearlyFull(queues)) return
  // Most servers need nothing of it.
  const { removeLeftovers } = await import('./slot-files.ts')
  for (const queue of readdirSync(queues)) {
    for (const name of slotFolders) {
      const slots = join(queues, queue, name)
      if (!existsSync(slots)) continue
      killRunsIn(realpathSync(slots))
      await removeLeftovers(slots, { all: true })
    }
  }
}
