/** A folder into which a backup is being restored has only a part of its files. */

import { existsSync } from 'node:fs'
import type { DataFolder } from './data-folder.ts'

/** Throws if a restore into this folder has not ended. */
export function refuseHalfRestored({ path, restoring }: DataFolder): void {
  if (!existsSync(restoring)) return
  throw new Error(
    `${path} holds a part of a backup: mergeyard restore is at work or was interrupted. ` +
      'If it was interrupted, empty the folder and restore again',
  )
}
