/**
 * Checks after each commit, before it is acknowledged, that this server is the only writer.
 *
 * The one that takes over replaces the lock first and reads the log after that. So if the lock is
 * still ours after our lines are on disk, that server will read them. No clock is involved.
 *
 * The calls are synchronous: on a local file system all of them take a few microseconds, and less
 * processor time than one way to the thread pool and back.
 */

import { existsSync } from 'node:fs'
import type { HeldLock } from '../files/held-lock.ts'
import { type DataFolder, FolderTaken, segmentFile } from './data-folder.ts'
import type { SegmentFile } from './segment-file.ts'

export type SoleWriter = (file: SegmentFile) => void

/** Returns a check that throws `FolderTaken` if there is a sign of another writer. */
export function soleWriter(folder: DataFolder, lock: Pick<HeldLock, 'isMine'>): SoleWriter {
  return (file) => {
    const { segment, bytes } = file.end
    if (!lock.isMine()) throw new FolderTaken(folder.path, 'it has replaced the lock')
    const next = segmentFile(folder, segment + 1)
    if (existsSync(next)) throw new FolderTaken(folder.path, `it has begun ${next}`)
    const size = file.size()
    if (size === bytes) return
    const path = segmentFile(folder, segment)
    throw new FolderTaken(folder.path, `${path} has ${size} bytes, of which ${bytes} are ours`)
  }
}
