/** The messages of the commits on a branch: first parents only, oldest first. */

import { BadInput } from '../../../server/terminal/bad-input.ts'
import type { Commit } from '../landings/rule.ts'
import { askGit } from './run-git.ts'

type LogRequest = { readonly folder: string; readonly hash: string; readonly most: number }

const recordStart = '\u0001'
const fieldEnd = '\u0002'
/**
 * Without --no-mailmap, git reads .mailmap in a bare repository, and a clone may lack its tree. A
 * user's configuration may show signatures, which would stand between the fields.
 */
const options = [
  '--no-mailmap',
  '--no-show-signature',
  `--format=${['%x01%H', '%P', '%ct', '%an', '%cn', '%s', '%b'].join('%x02')}%x02`,
] as const

/** Returns the last commits. Throws `BadInput` if git fails; faults call the folder `source`. */
export function readCommits({ folder, hash, most }: LogRequest, source: string): Commit[] {
  const range = ['-n', String(most), '--end-of-options', hash, '--']
  const { isOk, text, fault } = askGit(folder, ['log', '--first-parent', ...options, ...range])
  if (!isOk) {
    const expected = 'a git repository with its commits'
    throw new BadInput(source, [{ where: '--git', expected, actual: fault }])
  }
  return withMerged(folder, commitsIn(text).toReversed())
}

function commitsIn(text: string): Commit[] {
  return text.split(recordStart).slice(1).map(commitOf)
}

function commitOf(record: string): Commit {
  const fields = record.split(fieldEnd)
  const [hash = '', parents = '', seconds = '', author = '', committer = ''] = fields
  const [subject = '', body = ''] = fields.slice(5)
  return {
    hash,
    parents: parents.split(' ').filter((each) => each !== ''),
    atMs: Number(seconds) * 1000,
    author,
    committer,
    subject,
    body,
  }
}

/** Adds the message of the second parent to the merges by Gerrit, which name no change themselves. */
function withMerged(folder: string, commits: readonly Commit[]): Commit[] {
  const isByGerrit = ({ committer, parents }: Commit): boolean =>
    parents.length > 1 && /gerrit/i.test(committer)
  const wanted = commits.filter(isByGerrit).flatMap(({ parents }) => parents[1] ?? [])
  if (wanted.length === 0) return [...commits]
  const args = ['log', '--no-walk=unsorted', ...options, '--stdin']
  const { text } = askGit(folder, args, `${wanted.join('\n')}\n`)
  const bodies = new Map(commitsIn(text).map(({ hash, body }) => [hash, body]))
  return commits.map((commit) => {
    const mergedBody = isByGerrit(commit) ? bodies.get(commit.parents[1] ?? '') : undefined
    return mergedBody === undefined ? commit : { ...commit, mergedBody }
  })
}
