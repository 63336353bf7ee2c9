/**
 * Copies a store into a new data folder, as a server with a folder reads it. A log that was copied in begins
 * with a snapshot; any other is whole.
 */

import { existsSync, readdirSync } from 'node:fs'
import type { LogEntry } from '../../engine/index.ts'
import { writeTokens } from '../auth/tokens.ts'
import type { Line } from '../replica/log-database.ts'
import { Register } from '../replica/register.ts'
import { makeDataFolder, type DataFolder } from '../store/data-folder.ts'
import { EndMarker } from '../store/end-marker.ts'
import { firstSegment, recover, snapshotIn } from '../store/recover.ts'
import { rulesVersion } from '../store/rules-version.ts'
import { SegmentFile } from '../store/segment-file.ts'
import { entryLine } from '../store/segment.ts'
import { linesOfState } from '../store/snapshot-lines.ts'
import { connect } from './connect.ts'
import type { Copied } from './copy-in.ts'
import { copyWebhooksOut } from './copy-webhooks.ts'
import { PostgresLog } from './postgres-log.ts'
import { readSetting } from './shared-setting.ts'
import { sharedTokens } from './shared-tokens.ts'
import { StoreFault } from './store-fault.ts'

/** Throws `StoreFault` for a store that cannot be used, and if the folder is not empty. */
export async function copyOut(url: string, folder: DataFolder): Promise<Copied> {
  if (existsSync(folder.path) && readdirSync(folder.path).length > 0)
    throw new StoreFault(`${folder.path} is not empty: copy into a new folder`)
  const pool = await connect(url)
  try {
    const log = new PostgresLog(pool)
    makeDataFolder(folder)
    const right = await write(log, folder)
    await writeTokens(folder.tokens, await readSetting(pool, sharedTokens))
    await copyWebhooksOut(pool, log, folder)
    const { registry } = await recover(folder, { wakeAt: () => undefined })
    if (linesOfState(registry.state()).join('\n') !== right.saved().lines.join('\n'))
      throw new StoreFault(
        `${folder.path} is not what was to be copied: do not use it, and report this`,
      )
    return { queues: [...registry.queues].length, sequence: registry.sequence }
  } finally {
    await pool.end()
  }
}

/** Returns the state at the end of what was written. */
async function write(log: PostgresLog, folder: DataFolder): Promise<Register> {
  const isCopied = (await log.first()) > 1
  const register = Register.from(isCopied ? await log.savedState() : null)
  const after = register.sequence
  const tail = await log.look(after)
  if (isCopied) {
    const db = snapshotIn(folder)
    db.data = { segment: firstSegment, state: register.manager.registry.state() }
    await db.write()
  }
  register.catchUp(tail)
  const header = {
    segment: firstSegment,
    after,
    epoch: tail.epoch,
    rules: rulesVersion(),
    previous: null,
  }
  const file = await SegmentFile.begin(folder, header)
  await file.write(tail.lines.map(lineOf), register.sequence)
  const marker = await EndMarker.create(folder, file.end)
  await marker.close()
  await file.close()
  return register
}

function lineOf({ text }: Line): Iterable<Buffer> {
  const entry: LogEntry = JSON.parse(text)
  return entryLine(entry)
}
