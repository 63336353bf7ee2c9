/**
 * The files of the data folder.
 *
 *     lock                     the process that uses the folder
 *     snapshot.json            the complete state at the beginning of one segment of the log
 *     log/00000012.jsonl       the command log, in segments; lines are never changed
 *     log/00000012.begin.json  the snapshot at which that segment begins, once there is a newer one
 *     log/end                  where the acknowledged log ends
 *     tokens.json              the hashes and scopes of the tokens
 *     sessions.json            who is signed in on the page, as hashes
 *     webhooks.json            the endpoints of the webhooks
 *     outbox.jsonl             messages that are not delivered yet
 *     restoring                a backup is being restored or a store copied into the folder, or this was interrupted
 *     backup.json              the newest backup of the folder
 *     demo                     marks the folder of a demo
 */

import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
// Not from the index: a command that only needs the names of files does not load the engine.
import {
  beginningName,
  recordingFiles,
  segmentName,
  segmentNamed,
} from '../../engine/recording/format.ts'
import { replaceFile } from '../files/replace-file.ts'
import { isForbidden, makeFolder } from '../terminal/files.ts'
import { messageOf } from '../terminal/text.ts'

/** File mode: only the owner may enter the folder. */
const ownerOnly = 0o700
const othersMask = 0o077

export type DataFolder = {
  readonly path: string
  readonly lock: string
  readonly snapshot: string
  readonly log: string
  /** The end marker. */
  readonly end: string
  readonly tokens: string
  readonly sessions: string
  readonly webhooks: string
  readonly outbox: string
  readonly demo: string
  readonly restoring: string
  readonly backup: string
}

export function dataFolder(path: string): DataFolder {
  return {
    path,
    lock: join(path, 'lock'),
    snapshot: join(path, recordingFiles.snapshot),
    log: join(path, recordingFiles.log),
    end: join(path, recordingFiles.log, 'end'),
    tokens: join(path, 'tokens.json'),
    sessions: join(path, 'sessions.json'),
    webhooks: join(path, 'webhooks.json'),
    outbox: join(path, 'outbox.jsonl'),
    demo: join(path, 'demo'),
    restoring: join(path, 'restoring'),
    backup: join(path, 'backup.json'),
  }
}

/** Creates the folder, if it is missing. Throws where that, or a file in it, is not possible. */
export function makeDataFolder({ path, log }: DataFolder): void {
  try {
    makeFolder(log, ownerOnly)
    for (const folder of [path, log]) accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const remedy = isForbidden(cause) ? 'run as the user to whom it belongs' : 'mend that'
    throw new Error(
      `the data folder ${path} cannot be used: ${messageOf(cause)}: ${remedy}, or name another folder`,
      { cause },
    )
  }
}

/** True if other users may read the folder. The mode of an existing folder is never changed. */
export function isOpenToOthers({ path }: DataFolder): boolean {
  return (statSync(path).mode & othersMask) !== 0
}

export function segmentFile({ log }: DataFolder, segment: number): string {
  return join(log, segmentName(segment))
}

/** The path of the snapshot at which a segment begins. */
export function beginningFile({ log }: DataFolder, segment: number): string {
  return join(log, beginningName(segment))
}

/** The existing segments, oldest first. */
export function segmentsIn({ log }: DataFolder): number[] {
  return readdirSync(log)
    .flatMap((name) => segmentNamed(name) ?? [])
    .sort((a, b) => a - b)
}

/** Throws if a restore or a copy into this folder has not ended, because it has only a part of its files. */
export function refuseHalfRestored({ path, restoring }: DataFolder): void {
  if (!existsSync(restoring)) return
  throw new Error(
    `${path} holds a part of a backup or of a copy: mergeyard restore or copy is at work or was interrupted. ` +
      'If it was interrupted, empty the folder and do it again',
  )
}

/**
 * Marks a new folder as that of a demo. Throws if an existing folder is of the other kind: the clock of
 * a demo runs ahead of real time, so neither can continue with the data of the other.
 */
export async function markDemo(
  folder: DataFolder,
  { isDemo, isNew }: { readonly isDemo: boolean; readonly isNew: boolean },
): Promise<void> {
  const isMarked = existsSync(folder.demo)
  if (isMarked && !isDemo) {
    throw new Error(
      `${folder.path} was written by a demo, which cannot be continued: choose another --data`,
    )
  }
  if (isMarked || !isDemo) return
  if (!isNew) {
    throw new Error(`${folder.path} holds queues that are not from a demo: choose another --data`)
  }
  await replaceFile(folder.demo, [
    'The clock of the data in this folder did not run at real time.\n',
  ])
}

/** Another server has taken over the data folder. This one acknowledges nothing more and stops. */
export class FolderTaken extends Error {
  override readonly name = 'FolderTaken'

  constructor(folder: string, evidence: string) {
    super(
      `another server works on the data folder ${folder}: ${evidence}. This server stops. ` +
        'Everything it acknowledged is kept; what it had not acknowledged is ignored. ' +
        'Give each server a folder of its own',
    )
  }
}

/** The lock is not that of this server any more: another one has it, or the folder is not where it was. */
export function lockLost({ path, lock }: DataFolder): Error {
  if (existsSync(lock)) return new FolderTaken(path, 'it has replaced the lock')
  return new Error(
    `the lock ${lock} is gone: the data folder was moved or removed while the server ran. This server ` +
      'stops. Everything it acknowledged is kept where the folder is now: start it again with --data and that one',
  )
}
