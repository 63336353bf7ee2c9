/**
 * What must be known of the repository of a queue after a restart, beside the log: a small text for each kind of host,
 * in the folder of the queue or in a store of several servers.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from './replace-file.ts'

export type Notes = {
  /** What was there at the start; null: nothing. */
  readonly read: () => string | null
  readonly write: (text: string) => Promise<void>
}

/** `branches`: plain git, where branches ask to merge. `targets`: by what the targets of those who wait were found. */
export const notesKinds = ['branches', 'github', 'gitea', 'gitlab', 'targets'] as const

export type NotesKind = (typeof notesKinds)[number]

export function queueFolders(data: string): string {
  return join(data, 'queues')
}

/** What the server keeps of a queue beside its log; it is made by the first start on the repository. */
export function folderOf(data: string, id: string): string {
  return join(queueFolders(data), id)
}

export function notesFile(data: string, id: string, kind: NotesKind): string {
  return join(folderOf(data, id), `${kind}.json`)
}

const pattern = new RegExp(`^queues/[\\da-f-]{13}/(?:${notesKinds.join('|')})\\.json$`)

/** Whether this path, relative to a data folder, is that of notes. */
export const isNotesName = (path: string): boolean => pattern.test(path)

/** The paths of the notes of all queues in a data folder. */
export function notesFilesIn(data: string): string[] {
  const queues = queueFolders(data)
  if (!existsSync(queues)) return []
  const all = readdirSync(queues).flatMap((id) =>
    notesKinds.map((kind) => notesFile(data, id, kind)),
  )
  return all.filter((path) => existsSync(path))
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
