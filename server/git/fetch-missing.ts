/** Gets the commits that a composition needs, if the mirror does not have them. */

import { isDamage } from './damage.ts'
import { failure, git, GitFailed, runGit, type Oid } from './git.ts'

/** The frozen head of a pull request is in no repository any more. */
export class HeadGone extends GitFailed {
  readonly number: number

  constructor(number: number, head: Oid) {
    super(
      `pull request ${number} cannot be composed: its head ${head} is not in the repository any more, because somebody has pushed over it`,
    )
    this.number = number
  }
}

type Needed = {
  readonly tip: Oid
  readonly cards: readonly { readonly number: number; readonly head: Oid }[]
}

type Repositories = {
  readonly folder: string
  readonly url: string
  /** Variables with which git reaches the repository. */
  readonly env: Readonly<Record<string, string>>
}

/** Rejects with `HeadGone` if a head cannot be had, and the repository can be reached. */
export async function fetchMissing(
  { folder, url, env }: Repositories,
  { tip, cards }: Needed,
): Promise<void> {
  const commits = [tip, ...cards.map(({ head }) => head)]
  const input = `${commits.join('\n')}\n`
  const check = ['--git-dir', folder, 'cat-file', '--batch-check=%(objecttype)']
  const types = (await git(check, { input })).split('\n')
  const missing = commits.filter((_, index) => types[index] !== 'commit')
  if (missing.length === 0) return
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']
  const args = ['--git-dir', folder, 'fetch', ...options, url, ...missing]
  const result = await runGit(args, { env })
  if (result.code === 0) return
  const failed = failure(args, result)
  // The head may only look as if it was not here.
  if (isDamage(failed)) throw failed
  const gone = cards.find(({ head }) => isUnknown(head, result.stderr))
  throw gone ? new HeadGone(gone.number, gone.head) : failed
}

/** In the words of both versions of the protocol, and of a ref whose branch has moved between the look and the fetch. */
function isUnknown(wanted: string, words: string): boolean {
  const texts = [
    ...['not our ref', 'unadvertised object', "couldn't find remote ref"],
    'nonexistent object',
  ]
  return texts.some((text) => words.includes(`${text} ${wanted}`))
}

/** True if the repository was reached, and does not have this commit or ref. */
export function isNotThere(fault: unknown, wanted: string): boolean {
  if (fault instanceof HeadGone) return true
  return fault instanceof GitFailed && !isDamage(fault) && isUnknown(wanted, fault.message)
}
