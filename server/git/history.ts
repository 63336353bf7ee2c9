/**
 * What a repository tells of its history: the commits of a branch itself, without those that were merged into it,
 * whose they are, and whether one commit is contained in another.
 */

import { type Oid, git, failure, linesOf, runGit } from './git.ts'
import { landingPattern, numbersIn } from './snapshot.ts'

/** A commit of the branch, and the pull requests that its message names. */
export type BranchCommit = { readonly commit: Oid; readonly numbers: readonly number[] }

/** Those after `from` up to `to`, oldest first. */
export async function branchCommits(folder: string, from: Oid, to: Oid): Promise<BranchCommit[]> {
  const log = ['log', '-z', '--first-parent', '--reverse', '--format=%H%x00%B', `${from}..${to}`]
  // A message can have any other character.
  const fields = (await git(['--git-dir', folder, ...log])).split('\0')
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, index) => {
    const [commit = '', message = ''] = fields.slice(2 * index, 2 * index + 2)
    return { commit, numbers: numbersIn(message) }
  })
}

/** The commits of a branch or a range whose message says that they are a pull request, newest first. */
export async function landingsOf(folder: string, number: number, range: string): Promise<Oid[]> {
  const pattern = ['--extended-regexp', `--grep=${landingPattern(number)}`]
  const log = ['log', '--format=%H', ...pattern, range]
  return linesOf(await git(['--git-dir', folder, ...log]))
}

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
