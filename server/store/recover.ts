/**
 * Restores the state after the last accepted command: from the snapshot and every later entry of
 * the log. Only reads files, and does not repair damaged ones.
 */

import { Low } from 'lowdb'
import { missingSegment, type LogEntry, type ReadUpTo } from '../../engine/index.ts'
import { TestCases } from '../history/test-cases.ts'
import { QueueRegistry, type RegistryPorts } from '../queues/queue-registry.ts'
import { DamagedData } from './damaged-data.ts'
import { segmentFile, segmentsIn, type DataFolder } from './data-folder.ts'
import { readSegmentFile } from './segment.ts'
import { SnapshotFile, type Snapshot } from './snapshot-file.ts'

export const firstSegment = 1

export type Recovered = {
  readonly registry: QueueRegistry
  /** The last segment, and how far it was read; null in a new folder. */
  readonly end: (ReadUpTo & { readonly segment: number }) | null
  readonly snapshot: SnapshotPosition
}

/** The position of a snapshot: the segment that begins at it, and the last entry it contains. */
export type SnapshotPosition = { readonly segment: number; readonly sequence: number }

/** Returns the snapshot as a lowdb database; without a file, that of an empty server. */
export function snapshotIn({ snapshot }: DataFolder): Low<Snapshot> {
  const state = { sequence: 0, at: 0, queues: [], testCases: new TestCases() }
  return new Low(new SnapshotFile(snapshot), { segment: firstSegment, state })
}

/** Reads the snapshot and the segments up to `upTo`. Throws `DamagedData` for a damaged file. */
export async function recover(
  folder: DataFolder,
  ports: RegistryPorts,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<Recovered> {
  const db = snapshotIn(folder)
  await db.read()
  const { segment: snapshotOf, state } = db.data
  const snapshot = { segment: snapshotOf, sequence: state.sequence }
  const segments = segmentsIn(folder).filter((each) => each >= snapshotOf && each <= upTo)
  const registry = new QueueRegistry(ports, state)
  // A segment is begun before the snapshot at its beginning is written.
  const isBegun = segments.length > 0 || snapshotOf === firstSegment
  const missing = isBegun ? missingSegment(snapshotOf, segments) : snapshotOf
  if (missing !== null) {
    const nothing = { line: null, expected: 'a segment', actual: 'no file' }
    throw new DamagedData(segmentFile(folder, missing), nothing)
  }
  let end: Recovered['end'] = null
  for (const segment of segments) {
    const start = { segment, after: registry.sequence, isLast: segment === segments.at(-1) }
    const read = readSegmentFile(segmentFile(folder, segment), start, (entry) =>
      replay(registry, entry),
    )
    end = { segment, ...read }
  }
  return { registry, end, snapshot }
}

/** Applies an entry. It was accepted when it was recorded, so a rejection now means damage. */
function replay(registry: QueueRegistry, entry: LogEntry): void {
  const outcome = registry.apply(entry)
  if (!outcome.accepted) throw new Error(`a command that is rejected: ${outcome.rejection.code}`)
}
