/**
 * Replaces a file atomically: readers, also after a power loss, find the old or the new content.
 */

import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { existsSync, readFileSync } from 'node:fs'
import { channel } from 'node:diagnostics_channel'
import { codeOf, messageOf } from '../terminal/text.ts'

/** File mode: only the owner may read and write. */
export const ownerOnly = 0o600

const writeBytes = 1 << 16

/** True for an error of the system with this code: `ENOENT`, `ENOSPC`. */
export const isErrno = (error: unknown, code: string): boolean => codeOf(error) === code

/** What was acknowledged is on disk; nothing more will be. */
const ofServer =
  'make room, and start the server again if it has stopped; everything it acknowledged is kept'

class DiskFull extends Error {
  override readonly name = 'DiskFull'

  constructor(path: string, advice: string, cause: unknown) {
    super(`${path} cannot be written, because its disk is full: ${advice}`, { cause })
  }
}

/** What went wrong with writing a file. The system does not say of a full disk which one it is. */
export function writeFault(path: string, error: unknown, advice = ofServer): unknown {
  const isFull = isErrno(error, 'ENOSPC') || isErrno(error, 'EDQUOT')
  return isFull ? new DiskFull(path, advice, error) : error
}

/**
 * Writes the pieces in order; the content need not be in memory as a whole. Rejects with `DiskFull` if there is
 * no room.
 */
export async function replaceFile(path: string, pieces: Iterable<string>): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
  try {
    await writeAndSync(temporary, pieces)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw writeFault(path, error)
  }
  await syncFolder(dirname(path))
}

/** Syncs a folder, so that created, renamed and removed names in it are on disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot sync a folder, and does not need it.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * A command that root runs on the folder of a server leaves it files that the server can read. Root of a container may
 * give nothing away.
 */
async function giveToOwner(file: FileHandle, path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dirname(path))
  await file.chown(uid, gid).catch(() => undefined)
}

async function writeAndSync(path: string, pieces: Iterable<string>): Promise<void> {
  // Exclusively: a link that the owner of the folder has put there is not followed.
  await rm(path, { force: true })
  const file = await open(path, 'wx', ownerOnly)
  try {
    await giveToOwner(file, path)
    let pending: string[] = []
    let length = 0
    for (const piece of pieces) {
      pending.push(piece)
      length += piece.length
      if (length < writeBytes) continue
      await file.writeFile(pending.join(''))
      pending = []
      length = 0
    }
    await file.writeFile(pending.join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

// Reads a small JSON file that an administrator may have edited.

/** Returns the parsed file, or `missing` if there is none. Throws an error that names the file. */
export function readJsonFile(path: string, missing: unknown): unknown {
  if (!existsSync(path)) return missing
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = messageOf(error)
    throw new Error(`${path} is not JSON: ${message}: correct it, or take it from a backup`, {
      cause: error,
    })
  }
}

// Tells how long the disk takes to store what was written.

/** Each message is the time of one fdatasync in seconds. */
export const syncTimes = channel('mergeyard:fdatasync')

const msPerSecond = 1000

export async function timedSync(sync: () => Promise<void>): Promise<void> {
  if (!syncTimes.hasSubscribers) {
    await sync()
    return
  }
  const begun = performance.now()
  await sync()
  syncTimes.publish((performance.now() - begun) / msPerSecond)
}
