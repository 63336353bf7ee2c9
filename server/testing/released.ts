/**
 * Data folders of released formats, which every later version must read. Each was written by a server
 * of its time: two runs are in progress, and the last line was cut off by a crash. The files have the
 * suffix `.txt`, so that no tool formats them.
 */

import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dataFolder, type DataFolder } from '../store/data-folder.ts'
import { temporaryFolder } from './test-server.ts'

/** Relative to the compiled code, which is one folder deeper than this file. */
const source = fileURLToPath(new URL('../../../server/testing/released', import.meta.url))

export type ReleasedFormat = {
  readonly version: number
  /** The runs in progress, by pull request. */
  readonly runs: Readonly<Record<number, string>>
}

export const releasedFormats: readonly ReleasedFormat[] = [
  {
    version: 1,
    runs: {
      3: 'f3efb128-cd10-8377-96a6-000000000004',
      4: 'f3efb128-cd10-8377-96a6-000000000005',
    },
  },
  {
    version: 2,
    runs: {
      3: 'bd800faf-ae6a-809e-a2d8-72f600000004',
      4: 'bd800faf-ae6a-8a41-adfb-a85d00000005',
    },
  },
]

/** Returns a copy of the folder with the file names of a server. */
export function releasedFolder({ version }: ReleasedFormat): DataFolder {
  const to = temporaryFolder()
  const from = join(source, `version-${version}`)
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.txt')) continue
    const copy = join(to, name.slice(0, -'.txt'.length))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(join(from, name), copy)
  }
  return dataFolder(to)
}
