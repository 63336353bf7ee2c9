/**
 * Keeps demos and real queues apart: the clock of a demo runs ahead of the time of day, so neither
 * can go on in a folder of the other.
 */

import { existsSync } from 'node:fs'
import type { DataFolder } from './data-folder.ts'
import { replaceFile } from './replace-file.ts'

/** Marks a new folder as a demo's. Throws where the folder is not of the kind it is wanted for. */
export async function markDemo(
  folder: DataFolder,
  { isDemo, isNew }: { readonly isDemo: boolean; readonly isNew: boolean },
): Promise<void> {
  const isMarked = existsSync(folder.demo)
  if (isMarked && !isDemo) {
    throw new Error(
      `${folder.path} was written by a demo: go on with --demo, or give another --data`,
    )
  }
  if (isMarked || !isDemo) return
  if (!isNew) {
    throw new Error(`${folder.path} holds queues that are no demo's: give another --data`)
  }
  await replaceFile(folder.demo, [
    'The clock of what is in this folder ran at a speed of its own.\n',
  ])
}
