/** Changes to the files that administrators share, one after the other. */

import { join } from 'node:path'
import { makeDataFolder, type DataFolder } from '../store/data-folder.ts'
import { FolderInUse, takeLock } from '../store/lock.ts'

/** Does the work while no other command changes the folder's files. A running server does not mind. */
export async function exclusively(folder: DataFolder, work: () => Promise<void>): Promise<void> {
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
    throw new Error('another command is changing this folder just now; try again', { cause: error })
  }
}
