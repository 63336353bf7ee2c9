/** Reads merge requests of GitLab, which are pull requests to the queue. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { SeenPull } from '../forge/api.ts'
import { isMissing } from '../forge/failed.ts'
import { testBranchPrefix } from '../hosting/testers.ts'
import type { GitLabClient } from './client.ts'
import type { MergeRequest } from './shapes.ts'

const states: Readonly<Record<string, SeenPull['state']>> = {
  opened: 'open',
  locked: 'open',
  merged: 'merged',
}

/** The open ones. Those of test branches are our own. */
export async function openPulls(client: GitLabClient): Promise<SeenPull[]> {
  const found = await client.all<MergeRequest>('/merge_requests', { state: 'opened' })
  return found
    .filter(({ source_branch: branch = '' }) => {
      return !`refs/heads/${branch}`.startsWith(testBranchPrefix)
    })
    .map((each) => pullOf(each))
}

/** Null: there is no such merge request. */
export async function pullAt(
  client: GitLabClient,
  number: PullRequestNumber,
): Promise<SeenPull | null> {
  try {
    return pullOf(await client.get<MergeRequest>(`/merge_requests/${number}`))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function pullOf(request: MergeRequest): SeenPull {
  const { iid: number = 0, title = '', labels = [], draft: isDraft = false } = request
  const { state = '', author, description } = request
  return {
    ...{ number, title, labels, isDraft },
    head: request.sha ?? '',
    state: states[state] ?? 'closed',
    base: request.target_branch ?? '',
    branch: branchOf(request),
    body: description ?? '',
    author: author?.username ?? '',
    mergedAs: state === 'merged' ? commitOf(request) : null,
    updatedAt: request.updated_at ?? '',
  }
}

/** Null: of a fork. */
function branchOf(request: MergeRequest): string | null {
  const isOfFork = request.source_project_id !== request.target_project_id
  return isOfFork ? null : (request.source_branch ?? '')
}

/** The commit on the branch: of the merge, of the squash, or the head after a fast forward. */
export function commitOf({ merge_commit_sha, squash_commit_sha, sha }: MergeRequest) {
  return merge_commit_sha ?? squash_commit_sha ?? sha ?? null
}
