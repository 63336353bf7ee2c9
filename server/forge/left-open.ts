/** A pull request whose change is on the branch already, and which the host still shows as open. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import type { ForgeApi } from './api.ts'

type Parts = { readonly api: ForgeApi; readonly mirror: Mirror }

/**
 * True if the host will not show it as merged by itself: it does so only when the commits of the pull request
 * are on the branch, and here only their change is.
 */
export async function isLeftOpen(
  { api, mirror }: Parts,
  {
    number,
    head,
    tip,
  }: { readonly number: PullRequestNumber; readonly head: Oid; readonly tip: Oid },
): Promise<boolean> {
  const pull = await api.pull(number)
  if (pull?.state !== 'open' || pull.head !== head) return false
  return !(await mirror.isAncestor(head, tip))
}

/** The reason that stands in the comment before the pull request is closed. */
export const whyClosed =
  'Its change was on the branch already, so the queue made no commit of it. The host shows a pull request as merged only if its own commits are on the branch, so this one is closed.'
