/**
 * Makes a snapshot: reads the last one, replays the segments that were closed since, and writes the next.
 * So every snapshot proves that the log can be replayed.
 */

import { existsSync } from 'node:fs'
import { link } from 'node:fs/promises'
import { beginningFile, dataFolder, type DataFolder } from './data-folder.ts'
import { syncFolder } from '../files/replace-file.ts'
import { recover, snapshotIn } from './recover.ts'

export type SnapshotTask = {
  readonly path: string
  /** The segment that begins at the new snapshot; all earlier segments are closed. */
  readonly segment: number
}

export async function makeSnapshot({ path, segment }: SnapshotTask): Promise<void> {
  const folder = dataFolder(path)
  const ports = { wakeAt: () => undefined }
  const { registry, snapshot } = await recover(folder, ports, segment - 1)
  await keepBeginning(folder, snapshot.segment)
  const db = snapshotIn(folder)
  db.data = { segment, state: registry.state() }
  await db.write()
}

/** Keeps the current snapshot, which is about to be replaced, as the beginning of its segment. */
async function keepBeginning(folder: DataFolder, segment: number): Promise<void> {
  const beginning = beginningFile(folder, segment)
  if (!existsSync(folder.snapshot) || existsSync(beginning)) return
  await link(folder.snapshot, beginning)
  await syncFolder(folder.log)
}
