/** A lock for changes to the files of a data folder by several administrators. */

import { join } from 'node:path'
import { makeDataFolder, type DataFolder } from '../../../server/store/data-folder.ts'
import { FolderInUse, takeLock } from '../../../server/files/lock.ts'

/**
 * Runs `work` while no other command changes the files of the folder. Creates the folder if it is
 * missing. The server does not use this lock. Throws if another command holds it.
 */
export async function withFolderLock(folder: DataFolder, work: () => Promise<void>): Promise<void> {
  makeDataFolder(folder)
  const unlock = lockOf(folder)
  try {
    await work()
  } finally {
    unlock()
  }
}

function lockOf({ path }: DataFolder): () => void {
  try {
    return takeLock(join(path, 'admin.lock'))
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    throw new Error('another command is changing this folder now; try again', { cause: error })
  }
}
