/**
 * Looks at every byte of snapshots and log: checksums, the chain of segments, and the end that was
 * acknowledged. Only reads. A start looks only at what it needs; this looks at the rest as well.
 */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type LinkedSegment, type LogHeader, linkSegments } from '../../engine/index.ts'
import { checkEnd, endMarkerFault } from './end-marker.ts'
import { DamagedData, NewerData, missingIn, readHeaderOf, readSegmentFile } from './segment.ts'
import { type DataFolder, segmentFile, segmentsIn } from './data-folder.ts'
import { recover, OtherRules } from './recover.ts'
import { SnapshotFile } from './snapshot-file.ts'

/** Everything that is wrong with the folder, also what a start would refuse. One line per fault. */
export async function faultsIn(folder: DataFolder): Promise<string[]> {
  const faults = await olderFaultsIn(folder)
  // The state after all of it, with the end that was acknowledged.
  const replayed = await faultOf(async () => checkEnd(folder, await recover(folder)))
  return [...new Set([...faults, ...replayed, endMarkerFault(folder) ?? []].flat())]
}

/** What is wrong with the files of the folder, each by itself and in order. */
export async function olderFaultsIn(folder: DataFolder): Promise<string[]> {
  const faults: string[] = []
  for (const path of snapshotsIn(folder)) {
    faults.push(...(await faultOf(async () => void (await new SnapshotFile(path).read()))))
  }
  return [...faults, ...(await faultsInLog(folder))]
}

/** The current snapshot, and those at which older segments begin. */
function snapshotsIn({ snapshot, log }: DataFolder): string[] {
  const beginnings = readdirSync(log).filter((name) => name.endsWith('.begin.json'))
  return [snapshot, ...beginnings.sort().map((name) => join(log, name))].filter(existsSync)
}

async function faultsInLog(folder: DataFolder): Promise<string[]> {
  const segments = segmentsIn(folder)
  // Of each gap the first: a file with a high number, put there by hand, may leave millions out.
  const faults = segments.slice(1).flatMap((segment, index) => {
    const expected = (segments[index] ?? 0) + 1
    return segment === expected ? [] : [missingIn(folder, expected).message]
  })
  const headerOf = (segment: number): LogHeader | null => {
    try {
      return readHeaderOf(segmentFile(folder, segment), segment)
    } catch {
      // The fault is found again when the segment is read.
      return null
    }
  }
  let after: number | null = null
  for (const linked of linkSegments(segments, headerOf)) {
    const [fault] = await faultOf(() => void (after = readWhole(folder, linked, after)))
    if (fault === undefined) continue
    faults.push(fault)
    after = null
  }
  return faults
}

/** Returns the sequence of its last entry. */
function readWhole(
  folder: DataFolder,
  { segment, end, isLast }: LinkedSegment,
  after: number | null,
): number | null {
  const start = { segment, after, isLast, end }
  return readSegmentFile(segmentFile(folder, segment), start, () => undefined).sequence
}

async function faultOf(look: () => void | Promise<void>): Promise<string[]> {
  try {
    await look()
    return []
  } catch (error) {
    const isExpected =
      error instanceof DamagedData || error instanceof NewerData || error instanceof OtherRules
    if (!isExpected) throw error
    return [error.message]
  }
}
