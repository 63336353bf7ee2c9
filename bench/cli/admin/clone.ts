/** The clone of a repository in which a command is typed: what git says about it. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isLocal } from '../../../server/hosting/repository-name.ts'

/** With the settings of the user, because it is the user's clone. Null: git failed, or there is no git. */
function gitIn(folder: string, ...args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** The git directory of the clone that has the folder in one of its work trees; null: it is in none. */
export function gitFolderAround(folder: string): string | null {
  const [isInside, path] = (
    gitIn(folder, 'rev-parse', '--is-inside-work-tree', '--git-common-dir') ?? ''
  ).split('\n')
  return isInside === 'true' && path !== undefined ? resolve(folder, path) : null
}

/** True if git would add what is in that folder to a commit. The folder need not exist. */
export function isSeenByGit(path: string): boolean {
  const existing = (folder: string): string =>
    existsSync(folder) ? folder : existing(dirname(folder))
  const folder = existing(path)
  if (gitFolderAround(folder) === null) return false
  // A pattern for folders says nothing about one that does not exist yet.
  return gitIn(folder, 'check-ignore', '--quiet', join(path, 'lock')) === null
}

/** The path or address of a remote of the clone around the folder; null: there is none of that name. */
export function addressOfRemote(folder: string, name: string): string | null {
  const address = gitIn(folder, 'remote', 'get-url', name)
  if (address === null || !isLocal(address)) return address
  const top = gitIn(folder, 'rev-parse', '--show-toplevel') ?? folder
  return resolve(top, address.replace(/^file:\/\//, ''))
}
