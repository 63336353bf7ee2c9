/**
 * Checks after each commit, before it is acknowledged, that this server is the only writer.
 *
 * The one that takes over replaces the lock first and reads the log after that. So if the lock is
 * still ours after our lines are on disk, that server will read them. No clock is involved.
 */

import { access } from 'node:fs/promises'
import type { HeldLock } from '../files/held-lock.ts'
import { segmentFile, type DataFolder } from './data-folder.ts'
import { FolderTaken } from './folder-taken.ts'
import type { SegmentFile } from './segment-file.ts'

export type SoleWriter = (file: SegmentFile) => Promise<void>

/** Returns a check that rejects with `FolderTaken` if there is a sign of another writer. */
export function soleWriter(folder: DataFolder, lock: Pick<HeldLock, 'isMine'>): SoleWriter {
  return async (file) => {
    const { segment, bytes } = file.end
    const next = segmentFile(folder, segment + 1)
    const [isMine, size, isNext] = await Promise.all([lock.isMine(), file.size(), exists(next)])
    if (!isMine) throw new FolderTaken(folder.path, 'it has replaced the lock')
    if (isNext) throw new FolderTaken(folder.path, `it has begun ${next}`)
    if (size === bytes) return
    const path = segmentFile(folder, segment)
    throw new FolderTaken(folder.path, `${path} has ${size} bytes, of which ${bytes} are ours`)
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
