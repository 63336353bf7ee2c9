/** Whether a server can work on a repository at all, found out before anything is written. */

import { git, refuseOldGit, runGit } from '../git/git.ts'
import { Mirror, type GitAccess } from '../git/mirror.ts'
import type { HostOptions } from './options.ts'
import { isLocal } from './repository-name.ts'

/** The server cannot work on this queue. The message says what to do. */
export class CannotHost extends Error {
  override readonly name = 'CannotHost'
}

/**
 * Rejects with `CannotHost` or `GitFailed` if there is no git, no repository, no target branch, or one that nobody can
 * push to.
 */
export async function refuseUnworkable(
  options: HostOptions,
  access: GitAccess | null = null,
): Promise<void> {
  const { ref, url } = options
  await refuseOldGit()
  // Only looks, so it needs no folder.
  const refs = await new Mirror('', url, access ? { access } : {}).branches()
  if (refs.has(`refs/heads/${ref.targetBranch}`)) {
    await refuseShallow(options)
    return refuseCheckedOut(options)
  }
  const branches = [...refs.keys()].map((name) => name.slice('refs/heads/'.length))
  const known = branches.length > 0 ? `it has ${branches.slice(0, 5).join(', ')}` : 'it has none'
  throw new CannotHost(`${url} has no branch ${ref.targetBranch}: ${known}`)
}

/** Nothing can be merged without the commits that a shallow clone lacks. Rejects with `CannotHost`. */
export async function refuseShallow({ url }: Pick<HostOptions, 'url'>): Promise<void> {
  if (!isLocal(url)) return
  const at = ['-C', url.replace(/^file:\/\//, '')]
  if ((await git([...at, 'rev-parse', '--is-shallow-repository'])).trim() === 'false') return
  throw new CannotHost(
    `${url} is a shallow clone, which lacks older commits: name the repository that it is cloned from, in a clone ` +
      `with --repo origin, or fetch the rest with \`git -C ${url} fetch --unshallow\``,
  )
}

/** Git refuses a push to a branch that is checked out, as `main` is in most clones. Rejects with `CannotHost`. */
export async function refuseCheckedOut({
  ref,
  url,
}: Pick<HostOptions, 'ref' | 'url'>): Promise<void> {
  if (!isLocal(url)) return
  const at = ['-C', url.replace(/^file:\/\//, '')]
  const trees = await git([...at, 'worktree', 'list', '--porcelain'])
  if (!trees.split('\n').includes(`branch refs/heads/${ref.targetBranch}`)) return
  // Without the settings of the user, as the push is made.
  const setting = 'receive.denyCurrentBranch'
  const { stdout } = await runGit([...at, 'config', '--local', '--get', setting])
  if (['ignore', 'warn', 'updateinstead'].includes(stdout.trim().toLowerCase())) return
  throw new CannotHost(
    `${url} has ${ref.targetBranch} checked out, and git refuses a push to that: in a clone name its origin with ` +
      `--repo origin, or any bare repository, or let pushes change the work tree with ` +
      `\`git -C ${url} config ${setting} updateInstead\``,
  )
}
