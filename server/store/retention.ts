/**
 * Removes segments of the command log that are older than the retention time, with the snapshots
 * at which they begin. Removes only the oldest segments, and none that a start needs.
 */

import { existsSync, rmSync, statSync } from 'node:fs'
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
  const segments = segmentsIn(folder)
  const isOld = (segment: number): boolean =>
    segment < neededFrom && statSync(segmentFile(folder, segment)).mtimeMs < oldest
  const firstYoung = segments.find((segment) => !isOld(segment)) ?? 0
  // The oldest segment that is kept begins at a snapshot, so that the rest can be replayed.
  const firstKept = segments.findLast(
    (segment) => segment <= firstYoung && hasBeginning(folder, segment, neededFrom),
  )
  const removed: number[] = []
  for (const segment of segments) {
    if (segment >= (firstKept ?? 0)) break
    const file = segmentFile(folder, segment)
    // The segment first, because a snapshot without its segment is harmless.
    rmSync(file)
    rmSync(beginningFile(folder, segment), { force: true })
    removed.push(segment)
  }
  return removed
}

function hasBeginning(folder: DataFolder, segment: number, neededFrom: number): boolean {
  return segment === neededFrom || existsSync(beginningFile(folder, segment))
}
