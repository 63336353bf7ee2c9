/** Reads the queues in a snapshot of a server. */

import { crc32 } from 'node:zlib'
import {
  readInto,
  readQueue,
  readSnapshot,
  type Json,
  type PullRequestLine,
  type Queue,
  type QueueLine,
  type SnapshotHeader,
  type TargetsLine,
} from '../../engine/index.ts'
import { readingFile } from './lines.ts'

export type SnapshotQueue = { readonly incarnation: string; readonly queue: Queue }

/** The header of a snapshot, and the queues in it by name. */
export type Snapshot = {
  readonly header: SnapshotHeader
  readonly queues: ReadonlyMap<string, SnapshotQueue>
}

/** The records of a snapshot; those that are not about the engine are ignored. */
type SnapshotRecord =
  | QueueLine
  | PullRequestLine
  | TargetsLine
  | { testRun: number }
  | { testCase: object }
  | { epoch: string }

/**
 * Reads a snapshot and returns the queue `wanted`; with null, all queues. Throws `BadInput` for any
 * damage.
 */
export function readQueues(path: string, wanted: string | null): Snapshot {
  const queues = new Map<string, SnapshotQueue>()
  let current: Queue | null = null
  const take = ({ text, revive }: Json): void => {
    const record: SnapshotRecord = JSON.parse(text, revive)
    if ('queue' in record) {
      const isWanted = wanted === null || record.queue === wanted
      current = isWanted ? readQueue(record.engine) : null
      if (current) queues.set(record.queue, { incarnation: record.incarnation, queue: current })
    } else if (current && isOfEngine(record)) {
      readInto(current, record)
    }
  }
  const header = readingFile(path, (lines) => readSnapshot(lines, crc32, take))
  return { header, queues }
}

function isOfEngine(record: SnapshotRecord): record is PullRequestLine | TargetsLine {
  return 'pullRequest' in record || 'impactedTargets' in record
}
