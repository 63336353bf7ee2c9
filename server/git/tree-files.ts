/** Files of a commit, read from the objects of a repository. No work tree is needed. */

import { GitFailed, failure, git, runGit, type Oid } from './git.ts'

/** The files of a commit: path and blob. */
export async function filesOf(repository: string, commit: Oid): Promise<ReadonlyMap<string, Oid>> {
  const text = await git(['--git-dir', repository, 'ls-tree', '-r', '-z', commit])
  const files = new Map<string, Oid>()
  for (const line of text.split('\0')) {
    const [, type, oid, path] = /^\d+ (\w+) ([0-9a-f]+)\t([^]*)$/.exec(line) ?? []
    if (type === 'blob' && oid !== undefined && path !== undefined) files.set(path, oid)
  }
  return files
}

/**
 * The text of each blob, in one call of git; null for one that is no UTF-8. Rejects with `GitFailed` if git does not
 * answer for the first.
 */
export async function textsOf(
  repository: string,
  blobs: readonly Oid[],
): Promise<(string | null)[]> {
  if (blobs.length === 0) return []
  const input = `${blobs.join('\n')}\n`
  const output = await git(['--git-dir', repository, 'cat-file', '--batch'], { input })
  if (!output.startsWith(`${blobs[0]} blob `)) {
    throw new GitFailed(`git cat-file has no ${blobs[0]}: ${JSON.stringify(output.slice(0, 80))}`)
  }
  const bytes = Buffer.from(output)
  let at = 0
  return blobs.map((blob) => {
    const end = bytes.indexOf('\n', at)
    const [oid, , size] = bytes.toString('latin1', at, end).split(' ')
    // Bytes that are no UTF-8 were replaced by longer ones: what follows is at another place.
    if (end < 0 || oid !== blob) return null
    const start = end + 1
    at = start + Number(size) + 1
    return bytes.toString('utf8', start, at - 1)
  })
}

/** Where the histories of two commits part; null if they have nothing in common. Rejects if git cannot say it. */
export async function mergeBase(repository: string, a: Oid, b: Oid): Promise<Oid | null> {
  const args = ['--git-dir', repository, 'merge-base', a, b]
  const result = await runGit(args)
  if (result.code === 0) return result.stdout.trim()
  if (result.code === 1) return null
  throw failure(args, result)
}
