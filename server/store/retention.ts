/**
 * Removes segments of the command log that are older than somebody wants to keep, with the
 * snapshots at which they begin. Never what a start needs, and never out of the middle.
 */

import { rmSync, statSync } from 'node:fs'
import type { Millis } from '../../engine/index.ts'
import { beginningFile, segmentFile, segmentsIn, type DataFolder } from './data-folder.ts'

const dayMs = 24 * 60 * 60_000

export type Keep = {
  /** Null keeps everything. */
  readonly days: number | null
  readonly now: Millis
  /** The segment at whose beginning the snapshot stands: it and those after it are needed. */
  readonly neededFrom: number
}

/** Answers which segments are gone. */
export function removeOldSegments(folder: DataFolder, { days, now, neededFrom }: Keep): number[] {
  if (days === null) return []
  const oldest = now - days * dayMs
  const removed: number[] = []
  for (const segment of segmentsIn(folder)) {
    const file = segmentFile(folder, segment)
    if (segment >= neededFrom || statSync(file).mtimeMs >= oldest) break
    // The log first: a beginning without its segment is of no use, and does no harm.
    rmSync(file)
    rmSync(beginningFile(folder, segment), { force: true })
    removed.push(segment)
  }
  return removed
}
