/** Pushes a branch of the current folder, as its user would. */

import { spawnSync } from 'node:child_process'

/** False if this folder has no such branch, or the repository does not take it. */
export function pushed(branch: string, url: string): boolean {
  const ref = `refs/heads/${branch}`
  return (
    succeeds(['rev-parse', '--verify', '--quiet', ref]) && succeeds(['push', url, `${ref}:${ref}`])
  )
}

/** With the settings and credentials of the user, because it is the user's push. */
function succeeds(args: readonly string[]): boolean {
  const folder = process.env['INIT_CWD'] ?? process.cwd()
  return spawnSync('git', args, { cwd: folder, stdio: 'ignore' }).status === 0
}
