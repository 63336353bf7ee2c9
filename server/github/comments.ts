/** Comments of the repository on GitHub, and the one that the queue edits in place. */

import type { Endpoints } from '@octokit/types'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { Comment } from '../forge/api.ts'
import { isMissing } from '../forge/failed.ts'
import type { GitHubClient } from './client.ts'
import { pageSize } from './pulls.ts'

const ofRepository = 'GET /repos/{owner}/{repo}/issues/comments'
type Listed = Endpoints[typeof ofRepository]['response']['data'][number]

/** Those that were changed since, oldest first. */
export async function commentsSince(client: GitHubClient, since: string): Promise<Comment[]> {
  const octokit = await client.octokit()
  const found: Comment[] = []
  for (let page = 1; ; page++) {
    const { data } = await octokit.request(ofRepository, {
      ...client.at,
      ...{ since, per_page: pageSize, page, sort: 'updated', direction: 'asc' },
    })
    found.push(...data.map((each) => commentOf(each)))
    if (data.length < pageSize) return found
  }
}

function commentOf({ user, ...comment }: Listed): Comment {
  return {
    id: Number(comment.id),
    number: Number(comment.issue_url.split('/').at(-1)),
    by: { login: user?.login ?? '', id: Number(user?.id ?? 0) },
    isByBot: user?.type === 'Bot',
    body: comment.body ?? '',
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
  }
}

/** Found by its tag and its author: anybody can write the tag. */
export async function ownComment(
  client: GitHubClient,
  number: PullRequestNumber,
  tag: string,
): Promise<number | null> {
  const octokit = await client.octokit()
  const login = await client.login()
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
  for (let page = 1; ; page++) {
    const query = { issue_number: number, per_page: pageSize, page }
    const { data } = await octokit.request(route, { ...client.at, ...query })
    const own = data.find(({ body = '', user }) => user?.login === login && body.startsWith(tag))
    if (own) return Number(own.id)
    if (data.length < pageSize) return null
  }
}

export async function addComment(
  client: GitHubClient,
  number: PullRequestNumber,
  body: string,
): Promise<number> {
  const octokit = await client.octokit()
  const { data } = await octokit.request(
    'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    // Not repeated: if only the answer was lost, the next attempt finds the comment.
    { ...client.at, issue_number: number, body, request: { retries: 0 } },
  )
  return Number(data.id)
}

/** False: somebody has removed it. */
export async function editComment(
  client: GitHubClient,
  id: number,
  body: string,
): Promise<boolean> {
  const octokit = await client.octokit()
  const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
  try {
    await octokit.request(route, { ...client.at, comment_id: id, body })
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Shows below a comment that it was heeded, or not. */
export async function react(client: GitHubClient, id: number, content: '+1' | '-1'): Promise<void> {
  const octokit = await client.octokit()
  const route = 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions'
  await octokit.request(route, { ...client.at, comment_id: id, content })
}
