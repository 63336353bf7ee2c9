/** GitHub's own verdict on the reviews of a pull request. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { ReviewRules } from '../forge/api.ts'
import type { GitHubClient } from './client.ts'

/** Only GraphQL has the verdict, and can leave out the reviews of people without write access. */
const query = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewDecision
      latestOpinionatedReviews(first: 100, after: $after, writersOnly: true) {
        nodes { state }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`

type Answer = {
  readonly repository: {
    readonly pullRequest: {
      readonly reviewDecision: 'APPROVED' | 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED' | null
      readonly latestOpinionatedReviews: {
        /** The last one of each person that approves, objects or was dismissed. */
        readonly nodes: readonly { readonly state: string }[]
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
      } | null
    } | null
  } | null
}

/**
 * The verdict counts if there is one. Null stands for a branch that asks for no review, but also for some rules of
 * rulesets that GitHub does not count there: then the reviews of people who may write are counted here.
 */
export async function isApproved(
  client: GitHubClient,
  number: PullRequestNumber,
  { approvals }: ReviewRules,
): Promise<boolean> {
  const states: string[] = []
  for (let after: string | null = null; ;) {
    const asked: Answer = await client.graphql<Answer>(query, { ...client.at, number, after })
    const pull = asked.repository?.pullRequest
    const decision = pull?.reviewDecision ?? null
    if (decision !== null) return decision === 'APPROVED'
    if (approvals === 0) return true
    const reviews = pull?.latestOpinionatedReviews
    states.push(...(reviews?.nodes ?? []).map(({ state }) => state))
    if (reviews?.pageInfo.hasNextPage !== true) break
    after = reviews.pageInfo.endCursor
  }
  if (states.includes('CHANGES_REQUESTED')) return false
  return states.filter((state) => state === 'APPROVED').length >= approvals
}
