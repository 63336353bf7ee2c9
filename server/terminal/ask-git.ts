/** Git as its user has set it, asked about a folder that its user has named. */

import { spawnSync } from 'node:child_process'

/** What the environment says of another repository, as git does in a hook. */
const ofOther = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|(?:\w+_)?OBJECT_DIRECTOR(?:Y|IES))$/

// A folder that was named may be bare.
const always = ['-c', 'safe.bareRepository=all']

type Asked = {
  /** Its standard input. */
  readonly input?: string
  /** More variables. */
  readonly env?: Readonly<Record<string, string>>
  /** By default that of Node. */
  readonly maxBuffer?: number
}

/** What it prints and how it ends; in English, so that its words are known. */
export function askGit(folder: string, args: readonly string[], { env, ...rest }: Asked = {}) {
  const given = Object.entries(process.env).filter(([name]) => !ofOther.test(name))
  return spawnSync('git', [...always, '-C', folder, ...args], {
    ...rest,
    encoding: 'utf8',
    env: { ...Object.fromEntries(given), LC_ALL: 'C', ...env },
  })
}
