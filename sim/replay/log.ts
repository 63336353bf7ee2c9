/** The command log of a server's data folder: its segments, and every entry in them. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  beginningName,
  linkSegments,
  missingSegment,
  readSegment,
  readSegmentHeader,
  readSnapshotHeader,
  recordingFiles,
  segmentName,
  segmentNamed,
  type LogEntry,
  type Line,
  type LogHeader,
  type ReadUpTo,
  type SegmentStart,
} from '../../engine/index.ts'
import { BadInput } from '../scenario/bad-input.ts'
import { readingFile } from './lines.ts'

export type Log = {
  readonly folder: string
  /** The numbers of the segments: without a gap, oldest first; at least one. */
  readonly segments: readonly number[]
}

/**
 * Finds the log in a data folder, or one segment of it. Throws `BadInput` if there is no complete
 * log.
 */
export function findLog(path: string, name: string): Log {
  const only = segmentNamed(basename(path))
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  if (only !== null && isFile) return { folder: dirname(dirname(path)), segments: [only] }
  const segments = segmentsIn(path)
  const [first] = segments
  if (first === undefined) {
    const expected = 'the data folder of a server, with a command log in it'
    throw new BadInput(name, [{ where: '--against', expected, actual: 'none' }])
  }
  const missing = missingSegment(first, segments)
  if (missing !== null) {
    const file = segmentFile({ folder: path, segments }, missing)
    throw new BadInput(file, [{ where: 'file', expected: 'a segment', actual: 'no file' }])
  }
  return { folder: path, segments }
}

function segmentsIn(folder: string): number[] {
  const log = join(folder, recordingFiles.log)
  return (existsSync(log) ? readdirSync(log) : [])
    .flatMap((file) => segmentNamed(file) ?? [])
    .sort((a, b) => a - b)
}

/**
 * The snapshot at the start of a segment; null if there is none, or it is no longer kept. A segment
 * without entries begins and ends at the same snapshot.
 */
export function beginningOf(log: Log, segment: number): string | null {
  for (let at = segment; ; at--) {
    const snapshot = snapshotAt(log, at)
    if (snapshot !== null) return snapshot
    const [before, header] = [at - 1, at].map((each) => headerOf(log, each))
    if (!before || !header || before.after !== header.after) return null
  }
}

function headerOf(log: Log, segment: number): LogHeader | null {
  const file = segmentFile(log, segment)
  if (!existsSync(file)) return null
  return readingFile(file, (lines) => readSegmentHeader(lines, segment, crc32))
}

/** The snapshot that was written for the start of this segment; null if there is none. */
export function snapshotAt({ folder }: Log, segment: number): string | null {
  const kept = join(folder, recordingFiles.log, beginningName(segment))
  if (existsSync(kept)) return kept
  const newest = join(folder, recordingFiles.snapshot)
  return existsSync(newest) && beginsAt(newest) === segment ? newest : null
}

/** The number of the segment that starts at a snapshot. */
function beginsAt(snapshot: string): number {
  return readingFile(snapshot, readSnapshotHeader).segment
}

/**
 * Calls `take` with every entry, oldest first. Ignores an incomplete last line, which is left by a
 * crash or by a server that is writing it. Throws `BadInput` for any other damage.
 */
export function readEntries(log: Log, take: (entry: LogEntry) => void): void {
  let after: number | null = null
  const linked = linkSegments(segmentsIn(log.folder), (segment) => headerOf(log, segment))
  for (const { segment, end, isLast } of linked) {
    if (!log.segments.includes(segment)) continue
    const start: SegmentStart = { segment, after, isLast, end }
    const read = (lines: Iterable<Line>): ReadUpTo => readSegment(lines, start, crc32, take)
    after = readingFile(segmentFile(log, segment), read).sequence
  }
}

function segmentFile({ folder }: Log, segment: number): string {
  return join(folder, recordingFiles.log, segmentName(segment))
}
