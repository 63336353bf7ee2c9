/** Whether a server can work on a repository at all, found out before anything is written. */

import { refuseOldGit } from '../git/git.ts'
import { Mirror, type GitAccess } from '../git/mirror.ts'
import type { HostOptions } from './options.ts'

/** The server cannot work on this queue. The message says what to do. */
export class CannotHost extends Error {
  override readonly name = 'CannotHost'
}

/** Rejects with `CannotHost` or `GitFailed` if there is no git, no repository or no target branch. */
export async function refuseUnworkable(
  { ref, url }: HostOptions,
  access: GitAccess | null = null,
): Promise<void> {
  await refuseOldGit()
  // Only looks, so it needs no folder.
  const refs = await new Mirror('', url, access ? { access } : {}).branches()
  if (refs.has(`refs/heads/${ref.targetBranch}`)) return
  const branches = [...refs.keys()].map((name) => name.slice('refs/heads/'.length))
  const known = branches.length > 0 ? `it has ${branches.slice(0, 5).join(', ')}` : 'it has none'
  throw new CannotHost(`${url} has no branch ${ref.targetBranch}: ${known}`)
}
