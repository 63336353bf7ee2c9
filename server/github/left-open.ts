/** A pull request whose change is on the branch already, and which GitHub still shows as open. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import type { GitHubClient } from './client.ts'
import { pullAt } from './pulls.ts'

type Parts = { readonly client: GitHubClient; readonly mirror: Mirror }

/**
 * True if GitHub will not show it as merged by itself: it does so only when the commits of the pull request
 * are on the branch, and here only their change is.
 */
export async function isLeftOpen(
  { client, mirror }: Parts,
  {
    number,
    head,
    tip,
  }: { readonly number: PullRequestNumber; readonly head: Oid; readonly tip: Oid },
): Promise<boolean> {
  const pull = await pullAt(client, number)
  if (pull?.state !== 'open' || pull.head !== head) return false
  return !(await mirror.isAncestor(head, tip))
}

export async function closePull(client: GitHubClient, number: PullRequestNumber): Promise<void> {
  const octokit = await client.octokit()
  const route = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}'
  await octokit.request(route, { ...client.at, pull_number: number, state: 'closed' })
}

/** The reason that stands in the comment before the pull request is closed. */
export const whyClosed =
  'Its change was on the branch already, so the queue made no commit of it. GitHub shows a pull request as merged only if its own commits are on the branch, so this one is closed.'
