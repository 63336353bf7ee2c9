/**
 * Finds commands that are in the command log but, after a crash, not yet in the outbox: replays the
 * log from an earlier snapshot and reports the later commands again.
 */

import { existsSync } from 'node:fs'
import { beginningFile, segmentFile, segmentsIn, type DataFolder } from '../store/data-folder.ts'
import { firstSegment } from '../store/recover.ts'
import { linkedSegments } from '../store/linked-segments.ts'
import { readSegmentFile } from '../store/segment.ts'
import { SnapshotFile, type Snapshot } from '../store/snapshot-file.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { queueRefFrom } from '../identity/queue-ref.ts'
import { QueueRegistry } from '../queues/queue-registry.ts'

const noWakes = { wakeAt: (): void => undefined }

/** Reports all commands after the entry `after`. Throws if the log no longer contains them. */
export async function catchUp(
  folder: DataFolder,
  after: number,
  onCommand: (applied: AppliedCommand) => void,
): Promise<void> {
  const { segment: from, state } = await snapshotBefore(folder, after)
  const registry = new QueueRegistry(noWakes, state)
  for (const { segment, end, isLast } of linkedSegments(folder, from)) {
    const path = segmentFile(folder, segment)
    readSegmentFile(path, { segment, after: registry.sequence, isLast, end }, (entry, header) => {
      if (header.epoch !== undefined) registry.beginEpoch(header.epoch)
      const outcome = registry.apply(entry)
      if (entry.sequence <= after || !outcome.accepted) return
      const { sequence, at, command, by } = entry
      const queue = entry.queue === null ? null : queueRefFrom(entry.queue)
      const { epoch } = registry
      const { events, notices } = outcome
      onCommand({ sequence, at, epoch, queue, command, events, notices, ...(by && { by }) })
    })
  }
}

/** The latest snapshot that contains no command after the entry `after`. */
async function snapshotBefore(folder: DataFolder, after: number): Promise<Snapshot> {
  const beginnings = segmentsIn(folder)
    .map((segment) => beginningFile(folder, segment))
    .filter(existsSync)
  for (const path of [folder.snapshot, ...beginnings.reverse()]) {
    const snapshot = await new SnapshotFile(path).read()
    if (snapshot && snapshot.state.sequence <= after) return snapshot
  }
  const isComplete = existsSync(segmentFile(folder, firstSegment))
  if (isComplete) return { segment: firstSegment, state: new QueueRegistry(noWakes).state() }
  throw new Error(`the command log no longer contains entry ${after}`)
}
