/** Reads the reviews of a pull request on Gitea. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Review } from '../forge/approvals.ts'
import type { GiteaClient } from './client.ts'

/** Oldest first. Only those of people whom the protection of the branch listens to are official. */
export async function reviewsOf(client: GiteaClient, number: PullRequestNumber): Promise<Review[]> {
  const { owner, repo } = client
  const found = await client.all(`GET pulls/${number}/reviews`, ({ repos }, page) =>
    repos.repoListPullReviews(owner, repo, number, page),
  )
  return found
    .filter(({ official = false }) => official)
    .map(({ user, state = '', dismissed = false }) => ({
      by: user?.login ?? '',
      state: dismissed ? 'DISMISSED' : state === 'REQUEST_CHANGES' ? 'CHANGES_REQUESTED' : state,
    }))
}
