/** Whether a pull request has the approvals that its branch needs. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { GitHubClient } from './client.ts'
import { pageSize } from './pulls.ts'

export type Review = { readonly by: string; readonly state: string }

/**
 * The last review of each person counts, if it approves or objects; a comment changes nothing. One
 * objection is enough. A branch that needs no approval ignores reviews, as GitHub does.
 */
export function isApproved(reviews: readonly Review[], needed: number): boolean {
  if (needed === 0) return true
  const last = new Map<string, string>()
  for (const { by, state } of reviews) {
    if (state === 'DISMISSED') last.delete(by)
    else if (state === 'APPROVED' || state === 'CHANGES_REQUESTED') last.set(by, state)
  }
  const states = [...last.values()]
  if (states.includes('CHANGES_REQUESTED')) return false
  return states.length >= needed
}

/** The reviews of a pull request, oldest first. */
export async function reviewsOf(
  client: GitHubClient,
  number: PullRequestNumber,
): Promise<Review[]> {
  const octokit = await client.octokit()
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews'
  const found: Review[] = []
  for (let page = 1; ; page++) {
    const query = { pull_number: number, per_page: pageSize, page }
    const { data } = await octokit.request(route, { ...client.at, ...query })
    found.push(...data.map(({ user, state }) => ({ by: user?.login ?? '', state })))
    if (data.length < pageSize) return found
  }
}
