/** Reads the reviews of a pull request on GitHub. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Review } from '../forge/approvals.ts'
import type { GitHubClient } from './client.ts'
import { pageSize } from './pulls.ts'

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
