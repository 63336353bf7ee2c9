/**
 * Comes back to the state of the last accepted command: the snapshot, and every entry of the
 * segments since. Reads only; what it finds damaged it leaves as it is.
 */

import { existsSync } from 'node:fs'
import { Low } from 'lowdb'
import type { Entry } from '../yard/commands.ts'
import { TestCases } from '../history/test-cases.ts'
import { Register, type RegisterPorts } from '../yard/register.ts'
import { DamagedData } from './damaged-data.ts'
import { segmentFile, segmentsIn, type DataFolder } from './data-folder.ts'
import { readSegment, type ReadUpTo } from './segment.ts'
import { SnapshotFile, type Snapshot } from './snapshot-file.ts'

export const firstSegment = 1

export type Recovered = {
  readonly register: Register
  /** The last segment, and how far it was read; null in a folder in which nothing was ever done. */
  readonly end: (ReadUpTo & { readonly segment: number }) | null
  readonly snapshot: SnapshotPlace
}

/** Where a snapshot stands: at the beginning of a segment, after an entry. */
export type SnapshotPlace = { readonly segment: number; readonly sequence: number }

/** The snapshot as lowdb holds it: before there is a file, that of an empty yard. */
export function snapshotIn({ snapshot }: DataFolder): Low<Snapshot> {
  const state = { sequence: 0, at: 0, queues: [], testCases: new TestCases() }
  return new Low(new SnapshotFile(snapshot), { segment: firstSegment, state })
}

/** Throws `DamagedData` where a file does not say what was written to it. */
export async function recover(
  folder: DataFolder,
  ports: RegisterPorts,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<Recovered> {
  const db = snapshotIn(folder)
  await db.read()
  const { segment: snapshotOf, state } = db.data
  const snapshot = { segment: snapshotOf, sequence: state.sequence }
  const segments = segmentsIn(folder).filter((each) => each >= snapshotOf && each <= upTo)
  const register = new Register(ports, state)
  let end: Recovered['end'] = null
  for (let segment = snapshotOf; segment <= (segments.at(-1) ?? 0); segment++) {
    const path = segmentFile(folder, segment)
    if (!existsSync(path)) throw new DamagedData(path, null, 'the segment is missing')
    const isLast = segment === segments.at(-1)
    const place = { path, segment, after: register.sequence, isLast }
    end = { segment, ...readSegment(place, (entry) => replay(register, entry)) }
  }
  // A segment is begun before the snapshot at its beginning is made.
  if (!end && snapshotOf > firstSegment) {
    throw new DamagedData(segmentFile(folder, snapshotOf), null, 'the segment is missing')
  }
  return { register, end, snapshot }
}

/** What was accepted once is accepted again, or this is not the register it was. */
function replay(register: Register, entry: Entry): void {
  const outcome = register.apply(entry)
  if (outcome.accepted) return
  const { code } = outcome.rejection
  throw new Error(`this command was accepted when it was written, and is refused now: ${code}`)
}
