/** GitHub's own verdict on the reviews of a pull request. */

import type { PullRequestNumber } from '../../engine/index.ts'
import { lackOf, type ReviewRules } from '../forge/api.ts'
import type { GitHubClient } from './client.ts'

/** Only GraphQL has the verdict, and can leave out the reviews of people without write access. */
const query = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewDecision
      latestOpinionatedReviews(first: 100, after: $after, writersOnly: true) {
        nodes { state author { login } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`

type Review = {
  readonly state: string
  /** Null: the account is gone. */
  readonly author: { readonly login: string } | null
}

type Answer = {
  readonly repository: {
    readonly pullRequest: {
      readonly reviewDecision: 'APPROVED' | 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED' | null
      readonly latestOpinionatedReviews: {
        /** The last one of each person that approves, objects or was dismissed. */
        readonly nodes: readonly Review[]
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
      } | null
    } | null
  } | null
}

/**
 * What the reviews lack; null: nothing. The verdict counts if there is one. Null stands for a branch that asks for no review, but also for some rules of
 * rulesets that GitHub does not count there: then the reviews of people who may write are counted here.
 */
export async function unapprovedFor(
  client: GitHubClient,
  number: PullRequestNumber,
  { approvals }: ReviewRules,
): Promise<string | null> {
  const found: Review[] = []
  for (let after: string | null = null; ;) {
    const asked: Answer = await client.graphql<Answer>(query, { ...client.at, number, after })
    const pull = asked.repository?.pullRequest
    const decision = pull?.reviewDecision ?? null
    if (decision === 'APPROVED' || (decision === null && approvals === 0)) return null
    const reviews = pull?.latestOpinionatedReviews
    found.push(...(reviews?.nodes ?? []))
    if (reviews?.pageInfo.hasNextPage !== true) return decided(decision, found, approvals)
    after = reviews.pageInfo.endCursor
  }
}

function decided(
  decision: 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED' | null,
  reviews: readonly Review[],
  approvals: number,
): string | null {
  const by = (wanted: string): string[] =>
    reviews.flatMap(({ state, author }) => (state === wanted ? (author?.login ?? 'a ghost') : []))
  const lacks = lackOf({
    needed: approvals,
    approvedBy: by('APPROVED'),
    objectedBy: by('CHANGES_REQUESTED'),
    withdrawnFrom: by('DISMISSED'),
  })
  return decision === null ? lacks : (lacks ?? 'a review that the rules of the branch ask for')
}
