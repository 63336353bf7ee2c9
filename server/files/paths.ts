/** What a folder holds, while other processes change it. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isErrno } from './replace-file.ts'

/** The paths of all files and folders below one, from it on; without what is removed while it is read. */
export function pathsBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const { name } = entry
    if (!entry.isDirectory()) return [name]
    return [name, ...pathsBelow(join(folder, name)).map((path) => join(name, path))]
  })
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw error
  }
}
