/**
 * What happened just before a crash is in the command log, and perhaps not in the outbox yet: this
 * replays the log from the snapshot before that point, and hears it again.
 */

import { existsSync } from 'node:fs'
import { beginningFile, segmentFile, segmentsIn, type DataFolder } from '../store/data-folder.ts'
import { firstSegment } from '../store/recover.ts'
import { readSegment } from '../store/segment.ts'
import { SnapshotFile, type Snapshot } from '../store/snapshot-file.ts'
import type { Happening } from '../yard/announcer.ts'
import { queueRefFrom } from '../yard/queue-ref.ts'
import { Register } from '../yard/register.ts'

export type Missed = {
  /** Called once, with everything as it was at that point. */
  readonly begin: (register: Register) => void
  /** Called for each thing that happened since. */
  readonly hear: (happening: Happening) => void
}

const silent = { wakeAt: (): void => undefined }

/** Tells all that happened after the entry `after`. Throws where the log does not reach so far back. */
export async function catchUp(folder: DataFolder, after: number, missed: Missed): Promise<void> {
  const { segment: from, state } = await snapshotBefore(folder, after)
  const register = new Register(silent, state)
  let hasBegun = false
  const begin = (): void => {
    if (hasBegun || register.sequence < after) return
    hasBegun = true
    missed.begin(register)
  }
  begin()
  for (const segment of segmentsIn(folder).filter((each) => each >= from)) {
    const path = segmentFile(folder, segment)
    // Where the server began is where its log ends: what a crash had torn is cut off by now.
    readSegment({ path, segment, after: register.sequence, isLast: true }, (entry) => {
      const outcome = register.apply(entry)
      if (hasBegun && outcome.accepted) {
        const { sequence, at, command } = entry
        const queue = entry.queue === null ? null : queueRefFrom(entry.queue)
        missed.hear({ sequence, at, queue, command, events: outcome.events })
      }
      begin()
    })
  }
}

/** The latest snapshot that knows nothing of what is to be heard again. */
async function snapshotBefore(folder: DataFolder, after: number): Promise<Snapshot> {
  const beginnings = segmentsIn(folder)
    .map((segment) => beginningFile(folder, segment))
    .filter(existsSync)
  for (const path of [folder.snapshot, ...beginnings.reverse()]) {
    const snapshot = await new SnapshotFile(path).read()
    if (snapshot && snapshot.state.sequence <= after) return snapshot
  }
  const isWhole = existsSync(segmentFile(folder, firstSegment))
  if (isWhole) return { segment: firstSegment, state: new Register(silent).state() }
  throw new Error(`the command log does not reach back to entry ${after}`)
}
