/** What must be known about a code host after a restart, as a small text. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFile } from '../files/replace-file.ts'

export type Notes = {
  /** What was there at the start; null: nothing. */
  readonly read: () => string | null
  readonly write: (text: string) => Promise<void>
}

export function notesIn(path: string): Notes {
  return {
    read: () => (existsSync(path) ? readFileSync(path, 'utf8') : null),
    write: async (text) => {
      mkdirSync(dirname(path), { recursive: true })
      await replaceFile(path, [text])
    },
  }
}
