/**
 * The data folder of a server of version 1.0.0, which every later version must be able to read.
 * That server was started three times, stopped twice, and killed at the end. So there are three
 * segments, and a snapshot at the beginning of the second and of the third. The files have the
 * suffix `.txt`, so that no tool formats them.
 */

import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Relative to the compiled code, which is one folder deeper than this file. */
const source = fileURLToPath(
  new URL('../../../../engine/recording/testing/recorded', import.meta.url),
)

/** Copies the data folder to `folder`, with the file names of a server. */
export function copyRecorded(folder: string): void {
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.txt')) continue
    const to = join(folder, name.slice(0, -'.txt'.length))
    mkdirSync(dirname(to), { recursive: true })
    copyFileSync(join(source, name), to)
  }
}
