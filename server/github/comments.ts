/** Comments of the repository on GitHub, and the one that the queue edits in place. */

import type { Endpoints } from '@octokit/types'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { Comment, OwnComment } from '../forge/api.ts'
import { isMissing, orElse } from '../forge/failed.ts'
import type { GitHubClient } from './client.ts'

const ofRepository = 'GET /repos/{owner}/{repo}/issues/comments'
type Listed = Endpoints[typeof ofRepository]['response']['data'][number]
const ofOne = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
type CommentOfOne = Endpoints[typeof ofOne]['response']['data'][number]

/** Those that were changed since, oldest first. */
export async function commentsSince(client: GitHubClient, since: string): Promise<Comment[]> {
  const order = { sort: 'updated', direction: 'asc' } as const
  const found = await client.all((octokit, page) =>
    octokit.request(ofRepository, { ...page, ...order, since }),
  )
  return found.map((each) => commentOf(each))
}

function commentOf({ user, ...comment }: Listed): Comment {
  return {
    id: Number(comment.id),
    number: Number(comment.issue_url.split('/').at(-1)),
    by: { login: user?.login ?? '', id: Number(user?.id ?? 0) },
    isByBot: user?.type === 'Bot',
    body: comment.body ?? '',
    when: { at: Date.parse(comment.created_at), place: null },
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
  }
}

/** Found by its tag and its author: anybody can write the tag. */
export async function ownComment(
  client: GitHubClient,
  number: PullRequestNumber,
  tag: string,
): Promise<OwnComment | null> {
  const login = await client.login()
  const isOwn = ({ body = '', user }: CommentOfOne): boolean =>
    user?.login === login && body.startsWith(tag)
  const found = await client.all(
    (octokit, page) => octokit.request(ofOne, { ...page, issue_number: number }),
    (comments) => comments.some((each) => isOwn(each)),
  )
  const own = found.find((each) => isOwn(each))
  return own ? { id: Number(own.id), body: own.body ?? '' } : null
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
  const asked = octokit.request(route, { ...client.at, comment_id: id, body })
  return asked.then(() => true, orElse(isMissing, false))
}

/** Shows below a comment that it was heeded, or not. */
export async function react(client: GitHubClient, id: number, content: '+1' | '-1'): Promise<void> {
  const octokit = await client.octokit()
  const route = 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions'
  await octokit.request(route, { ...client.at, comment_id: id, content })
}
