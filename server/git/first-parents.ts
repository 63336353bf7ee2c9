/** The commits of a branch itself, without those that were merged into it, and whose they are. */

import { landingPattern, numbersIn } from './card.ts'
import { git, type Oid } from './git.ts'

/** A commit of the branch, and the pull requests that its message names. */
export type BranchCommit = { readonly commit: Oid; readonly numbers: readonly number[] }

/** Those after `from` up to `to`, oldest first. */
export async function branchCommits(folder: string, from: Oid, to: Oid): Promise<BranchCommit[]> {
  const log = ['log', '--first-parent', '--reverse', '--format=%H%x00%B%x01', `${from}..${to}`]
  const text = await git(['--git-dir', folder, ...log])
  const records = text.split('\u0001').map((record) => record.trim())
  return records
    .filter((record) => record !== '')
    .map((record) => {
      const [commit = '', message = ''] = record.split('\0')
      return { commit, numbers: numbersIn(message) }
    })
}

/** The commits of a branch or a range whose message says that they are a pull request, newest first. */
export async function landingsOf(folder: string, number: number, range: string): Promise<Oid[]> {
  const pattern = ['--extended-regexp', `--grep=${landingPattern(number)}`]
  const log = ['log', '--format=%H', ...pattern, range]
  const text = await git(['--git-dir', folder, ...log])
  return text.split('\n').filter((oid) => oid !== '')
}
