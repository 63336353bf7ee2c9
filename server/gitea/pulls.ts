/** Reads pull requests of Gitea: the open ones, and single ones. */

import type { PullRequest } from 'gitea-js'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { SeenPull } from '../forge/api.ts'
import { isMissing } from '../forge/failed.ts'
import { testBranchPrefix } from '../hosting/testers.ts'
import type { GiteaClient } from './client.ts'

/** The open pull requests. Those of test branches are our own. */
export async function openPulls(client: GiteaClient): Promise<SeenPull[]> {
  const { owner, repo } = client
  const found = await client.all('GET pulls', ({ repos }, page) =>
    repos.repoListPullRequests(owner, repo, { state: 'open', ...page }),
  )
  return found
    .filter(({ head }) => !`refs/heads/${head?.ref ?? ''}`.startsWith(testBranchPrefix))
    .map((pull) => pullOf(pull))
}

/** Null: there is no such pull request. */
export async function pullAt(
  client: GiteaClient,
  number: PullRequestNumber,
): Promise<SeenPull | null> {
  const { owner, repo } = client
  try {
    const pull = await client.ask(`GET pulls/${number}`, ({ repos }) =>
      repos.repoGetPullRequest(owner, repo, number),
    )
    return pullOf(pull)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** The document calls no field required. */
function pullOf(pull: PullRequest): SeenPull {
  const { number = 0, title = '', body = '', labels = [], merged = false, draft = false } = pull
  const { head, base, user } = pull
  return {
    ...{ number, title, body, isDraft: draft },
    head: textOf(head?.sha),
    state: merged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    base: textOf(base?.ref),
    branch: branchOf(pull),
    author: textOf(user?.login),
    labels: labels.map(({ name = '' }) => name),
    mergedAs: merged ? (pull.merge_commit_sha ?? null) : null,
    updatedAt: textOf(pull.updated_at),
  }
}

/** Null: of a fork. */
function branchOf({ head, base }: PullRequest): string | null {
  return head?.repo_id === base?.repo_id ? textOf(head?.ref) : null
}

function textOf(value: string | undefined): string {
  return value ?? ''
}
