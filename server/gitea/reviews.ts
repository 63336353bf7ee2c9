/** Whether the reviews of a pull request on Gitea let it merge: counted as Gitea counts them at its merge button. */

import type { PullReview } from 'gitea-js'
import type { PullRequestNumber } from '../../engine/index.ts'
import { lackOf, type ReviewRules } from '../forge/api.ts'
import type { GiteaClient } from './client.ts'

/** Only those of people whom the protection of the branch listens to are official. */
export async function unapprovedFor(
  client: GiteaClient,
  number: PullRequestNumber,
  rules: ReviewRules,
): Promise<string | null> {
  const { owner, repo } = client
  const asksNothing = rules.approvals === 0 && !rules.isBlockedByRejection
  if (asksNothing && !rules.isBlockedByRequest) return null
  const found = await client.all(`GET pulls/${number}/reviews`, ({ repos }, page) =>
    repos.repoListPullReviews(owner, repo, number, page),
  )
  return lackIn(found, rules)
}

/** The last review of each person counts, if it approves or objects; a comment changes nothing. */
function lackIn(reviews: readonly PullReview[], rules: ReviewRules): string | null {
  const official = reviews.filter(({ official: is }) => is === true)
  const last = new Map<string, PullReview>()
  for (const review of official.filter(({ dismissed }) => dismissed !== true)) {
    const { state } = review
    const isVerdict = state === 'APPROVED' || state === 'REQUEST_CHANGES'
    if (isVerdict || state === 'REQUEST_REVIEW') last.set(reviewerOf(review), review)
  }
  const who = (wanted: string, counts: (review: PullReview) => boolean): string[] =>
    [...last].flatMap(([name, each]) => (each.state === wanted && counts(each) ? name : []))
  const isOff = ({ stale }: PullReview): boolean => rules.isStaleIgnored && stale === true
  const dismissed = official.filter((review) => review.dismissed === true).map(reviewerOf)
  return lackOf({
    needed: rules.approvals,
    approvedBy: who('APPROVED', (review) => !isOff(review)),
    objectedBy: rules.isBlockedByRejection ? who('REQUEST_CHANGES', () => true) : [],
    awaitedFrom: rules.isBlockedByRequest ? who('REQUEST_REVIEW', () => true) : [],
    withdrawnFrom: [...dismissed.filter((name) => !last.has(name)), ...who('APPROVED', isOff)],
  })
}

const reviewerOf = ({ user, id = 0 }: PullReview): string => user?.login ?? `team of ${id}`
