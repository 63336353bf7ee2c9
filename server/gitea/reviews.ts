/** Whether the reviews of a pull request on Gitea let it merge: counted as Gitea counts them at its merge button. */

import type { PullReview } from 'gitea-js'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { ReviewRules } from '../forge/api.ts'
import type { GiteaClient } from './client.ts'

/** Only those of people whom the protection of the branch listens to are official. */
export async function isApproved(
  client: GiteaClient,
  number: PullRequestNumber,
  rules: ReviewRules,
): Promise<boolean> {
  const { owner, repo } = client
  const asksNothing = rules.approvals === 0 && !rules.isBlockedByRejection
  if (asksNothing && !rules.isBlockedByRequest) return true
  const found = await client.all(`GET pulls/${number}/reviews`, ({ repos }, page) =>
    repos.repoListPullReviews(owner, repo, number, page),
  )
  return isEnough(found, rules)
}

/** The last review of each person counts, if it approves or objects; a comment changes nothing. */
function isEnough(reviews: readonly PullReview[], rules: ReviewRules): boolean {
  const official = reviews.filter(
    ({ official: is, dismissed }) => is === true && dismissed !== true,
  )
  const last = new Map<string, PullReview>()
  for (const review of official) {
    const { state, user, id = 0 } = review
    const isVerdict = state === 'APPROVED' || state === 'REQUEST_CHANGES'
    if (isVerdict || state === 'REQUEST_REVIEW') last.set(user?.login ?? `team of ${id}`, review)
  }
  const states = [...last.values()]
  const has = (wanted: string): boolean => states.some(({ state }) => state === wanted)
  if (rules.isBlockedByRejection && has('REQUEST_CHANGES')) return false
  if (rules.isBlockedByRequest && has('REQUEST_REVIEW')) return false
  const counted = states.filter(
    ({ state, stale }) => state === 'APPROVED' && !(rules.isStaleIgnored && stale === true),
  )
  return counted.length >= rules.approvals
}
