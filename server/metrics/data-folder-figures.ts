/** Figures about the data folder: the space on its disk, and the age of its newest backup. */

import { readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Millis } from '../../engine/index.ts'

/** Written by `mergeyard backup`: when the newest backup was made. */
export const backupMarker = 'backup.json'

const msPerSecond = 1000

export async function diskSpace(
  folder: string,
): Promise<{ readonly free: number; readonly size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, size: blocks * bsize }
}

/** In seconds; null if there was no backup. */
export async function backupAge(folder: string, now: Millis): Promise<number | null> {
  try {
    const marker: { readonly at?: unknown } = JSON.parse(
      await readFile(join(folder, backupMarker), 'utf8'),
    )
    const at = Date.parse(String(marker.at))
    return Number.isNaN(at) ? null : Math.max(0, now - at) / msPerSecond
  } catch {
    // A marker that cannot be read proves no backup.
    return null
  }
}
