/** Trees and commits, made without a work tree. */

import { committer, type SnapshotToCommit, type Person } from './snapshot.ts'
import { failure, git, runGit, type Oid, GitFailed } from './git.ts'
import { firstFew } from '../terminal/text.ts'

/** Merges two commits without a work tree. Exit code 1 means a conflict, any other one a fault. */
export async function mergedTree(
  repository: string,
  ours: Oid,
  theirs: Oid,
): Promise<{ readonly tree: Oid } | { readonly conflict: string }> {
  const args = ['--git-dir', repository, 'merge-tree', '--write-tree', '--name-only', ours, theirs]
  const result = await runGit(args)
  const [tree = '', ...names] = result.stdout.split('\n')
  // Without the tree of a commit, git reports an error, and succeeds with an empty tree.
  if (/^error:/m.test(result.stderr)) throw failure(args, result)
  if (result.code === 0) return { tree }
  if (/no common ancestor|unrelated histories/.test(result.stderr)) return notRelated
  // Git also ends with 1 for a commit that it does not have, and then names no tree.
  if (result.code !== 1 || tree === '') throw failure(args, result)
  const listed = names.slice(0, Math.max(0, names.indexOf('')))
  // Beside a folder of its name git calls a file by the commit as well.
  const plain = listed.map((name) => name.replace(`~${ours}`, '').replace(`~${theirs}`, ''))
  return { conflict: `conflict in ${firstFew([...new Set(plain)], 3)}` }
}

const notRelated = { conflict: 'it has no commit in common with the target branch' }

type NewCommit = {
  readonly tree: Oid
  readonly parents: readonly Oid[]
  readonly message: string
  readonly author: Person
  /** `<seconds> +0000`. */
  readonly date: string
  /** Default: `date`. */
  readonly authorDate?: string
}

export async function commitTree(repository: string, commit: NewCommit): Promise<Oid> {
  const { tree, parents, message, author, date, authorDate = date } = commit
  const above = parents.flatMap((parent) => ['-p', parent])
  const made = await git(['--git-dir', repository, 'commit-tree', tree, ...above, '-F', '-'], {
    input: `${message}\n`,
    env: {
      GIT_AUTHOR_NAME: nameOf(author),
      GIT_AUTHOR_EMAIL: author.email.replaceAll(control, ''),
      // With `@`, git also understands the seconds of the first years.
      GIT_AUTHOR_DATE: `@${authorDate}`,
      GIT_COMMITTER_NAME: committer.name,
      GIT_COMMITTER_EMAIL: committer.email,
      GIT_COMMITTER_DATE: `@${date}`,
    },
  })
  return made.trim()
}

const control = /\p{Cc}/gu

/** Git refuses a name without a letter or digit. */
function nameOf({ name }: Person): string {
  return /[\p{L}\p{N}]/u.test(name) ? name.replaceAll(control, '') : 'unknown'
}

/** A commit, with what must be known of it to put another one on top: each question is a process. */
export type Ground = {
  readonly commit: Oid
  readonly tree: Oid
  /** When it was committed, in seconds. */
  readonly second: number
}

export async function groundAt(repository: string, commit: Oid): Promise<Ground> {
  const text = await git(['--git-dir', repository, 'log', '-1', '--format=%T %ct', commit])
  const [tree = '', second = ''] = text.trim().split(' ')
  return { commit, tree, second: Number(second) }
}

/** The time of the submission, but never before the parent: history must not run backwards. */
export function laterSecond(parent: Ground, { at }: Pick<SnapshotToCommit, 'at'>): number {
  return Math.max(parent.second, Math.floor(at / 1_000))
}

export async function haveSameTree(repository: string, one: Oid, other: Oid): Promise<boolean> {
  const wanted = [`${one}^{tree}`, `${other}^{tree}`]
  const text = await git(['--git-dir', repository, 'rev-parse', ...wanted])
  return new Set(text.trim().split('\n')).size === 1
}

// Files of a commit, read from the objects of a repository. No work tree is needed.

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
