/** The size of built files as a browser loads them. */

import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** The compressed size of the files of a folder whose names match, in bytes. Throws if there are none. */
export function compressed(folder: URL, name: RegExp): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`))
  if (files.length === 0) throw new Error(`${folder.pathname} is not built: run npm run pages`)
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0)
}
