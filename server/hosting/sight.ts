/** What is seen on the repository of a queue: the target branch, and the heads of pull requests. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'

/** A branch below this is a pull request that wishes to merge, as soon as it is pushed. */
export const wishPrefix = 'refs/heads/queue/'

/**
 * A branch below `queue/` enters one queue: the one whose target branch it names, as in
 * `queue/release/fix`, or else the first queue of the repository.
 */
export function isWishFor(
  ref: string,
  targetBranch: string,
  /** The target branches of all queues of the repository. */
  branches: readonly string[],
): boolean {
  if (!ref.startsWith(wishPrefix)) return false
  const named = branches
    .filter((branch) => ref.startsWith(`${wishPrefix}${branch}/`))
    .sort((a, b) => b.length - a.length)
  return (named[0] ?? branches[0]) === targetBranch
}

const pullPattern = /^refs\/pull\/([1-9]\d{0,8})\/head$/

export type Sight = {
  /** Null: there is no such branch. */
  readonly target: Oid | null
  /** The commit of each branch and of each `refs/pull/<n>/head`. */
  readonly heads: ReadonlyMap<string, Oid>
}

/** The patterns of one look: a single round trip, whatever the number of refs. */
export const lookedAt = ['refs/heads/*', 'refs/pull/*/head'] as const

export function sightOf(refs: ReadonlyMap<string, Oid>, targetBranch: string): Sight {
  return { target: refs.get(`refs/heads/${targetBranch}`) ?? null, heads: refs }
}

/** The number in `refs/pull/7/head`; null for any other ref. */
export function numberIn(ref: string): PullRequestNumber | null {
  const found = pullPattern.exec(ref)?.[1]
  return found === undefined ? null : Number(found)
}

export function pullRef(number: PullRequestNumber): string {
  return `refs/pull/${number}/head`
}
