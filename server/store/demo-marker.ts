/**
 * Keeps the data of demos and real servers apart. The clock of a demo runs ahead of real time, so
 * neither can continue with the data of the other.
 */

import { existsSync } from 'node:fs'
import type { DataFolder } from './data-folder.ts'
import { replaceFile } from '../files/replace-file.ts'

/** Marks a new folder as that of a demo. Throws if an existing folder is of the other kind. */
export async function markDemo(
  folder: DataFolder,
  { isDemo, isNew }: { readonly isDemo: boolean; readonly isNew: boolean },
): Promise<void> {
  const isMarked = existsSync(folder.demo)
  if (isMarked && !isDemo) {
    throw new Error(
      `${folder.path} was written by a demo: continue with --demo, or choose another --data`,
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
