/**
 * Replaces a file as a whole: whoever reads it, or finds it after a loss of power, sees all of the
 * old or all of the new.
 */

import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Only its owner may read what is in the data folder. */
export const ownerOnly = 0o600

const writeBytes = 1 << 16

/** Writes the pieces one after the other; the whole need not be in memory at once. */
export async function replaceFile(path: string, pieces: Iterable<string>): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`)
  try {
    await writeAndSync(temporary, pieces)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** New, renamed and removed names are on disk once their folder is. */
export async function syncFolder(path: string): Promise<void> {
  // Windows keeps the names itself, and refuses to sync a folder.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function writeAndSync(path: string, pieces: Iterable<string>): Promise<void> {
  const file = await open(path, 'w', ownerOnly)
  try {
    let waiting: string[] = []
    let length = 0
    for (const piece of pieces) {
      waiting.push(piece)
      length += piece.length
      if (length < writeBytes) continue
      await file.writeFile(waiting.join(''))
      waiting = []
      length = 0
    }
    await file.writeFile(waiting.join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}
