/**
 * Removes segments of the command log that are older than the retention time, with the snapshots
 * at which they begin. Removes only the oldest segments, and none that a start needs.
 */

import { rmSync, statSync } from 'node:fs'
import type { Millis } from '../../engine/index.ts'
import { beginningFile, segmentFile, segmentsIn, type DataFolder } from './data-folder.ts'

const dayMs = 24 * 60 * 60_000

export type Keep = {
  /** Null keeps everything. */
  readonly days: number | null
  readonly now: Millis
  /** The segment that begins at the current snapshot; it and the later ones are needed. */
  readonly neededFrom: number
}

/** Returns the removed segments. */
export function removeOldSegments(folder: DataFolder, { days, now, neededFrom }: Keep): number[] {
  if (days === null) return []
  const oldest = now - days * dayMs
  const removed: number[] = []
  for (const segment of segmentsIn(folder)) {
    const file = segmentFile(folder, segment)
    if (segment >= neededFrom || statSync(file).mtimeMs >= oldest) break
    // The segment first, because a snapshot without its segment is harmless.
    rmSync(file)
    rmSync(beginningFile(folder, segment), { force: true })
    removed.push(segment)
  }
  return removed
}
