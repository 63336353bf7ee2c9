/**
 * Makes a snapshot in a thread of its own: reads the last one, replays the segments that are
 * closed since, and writes the next. So no request waits for it, however much there is to write,
 * and every snapshot proves that the log can be replayed.
 */

import { existsSync } from 'node:fs'
import { link } from 'node:fs/promises'
import { workerData } from 'node:worker_threads'
import { beginningFile, dataFolder, type DataFolder } from './data-folder.ts'
import { syncFolder } from './replace-file.ts'
import { recover, snapshotIn } from './recover.ts'

export type SnapshotTask = {
  readonly path: string
  /** The segment at whose beginning the snapshot is to stand; all before it are closed. */
  readonly segment: number
}

async function makeSnapshot({ path, segment }: SnapshotTask): Promise<void> {
  const folder = dataFolder(path)
  const ports = { wakeAt: () => undefined }
  const { register, snapshot } = await recover(folder, ports, segment - 1)
  await keepBeginning(folder, snapshot.segment)
  const db = snapshotIn(folder)
  db.data = { segment, state: register.state() }
  await db.write()
}

/** The snapshot that is about to be replaced is the beginning of its segment: another name for it. */
async function keepBeginning(folder: DataFolder, segment: number): Promise<void> {
  const beginning = beginningFile(folder, segment)
  if (!existsSync(folder.snapshot) || existsSync(beginning)) return
  await link(folder.snapshot, beginning)
  await syncFolder(folder.log)
}

const task: SnapshotTask = workerData
await makeSnapshot(task)
