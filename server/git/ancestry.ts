/** Whether one commit is contained in another. */

import { failure, runGit, type Oid } from './git.ts'

/**
 * True if `commit` contains `ancestor`. A repository that does not have `ancestor`, but has all of `commit`,
 * shows that it does not. Rejects with `GitFailed` if the repository cannot tell.
 */
export async function contains(repository: string, commit: Oid, ancestor: Oid): Promise<boolean> {
  const at = ['--git-dir', repository]
  const args = [...at, 'merge-base', '--is-ancestor', ancestor, commit]
  const result = await runGit(args)
  if (result.code === 0) return true
  if (result.code === 1) return false
  const [hasCommit, hasAncestor] = [await has(repository, commit), await has(repository, ancestor)]
  if (hasCommit && !hasAncestor && (await isWhole(repository, commit))) return false
  throw failure(args, result)
}

async function has(repository: string, commit: Oid): Promise<boolean> {
  const { code } = await runGit(['--git-dir', repository, 'cat-file', '-e', `${commit}^{commit}`])
  return code === 0
}

/** A lost or damaged commit is no reason to say that it was never there. */
async function isWhole(repository: string, commit: Oid): Promise<boolean> {
  const { code } = await runGit(['--git-dir', repository, 'rev-list', '--count', commit])
  return code === 0
}
