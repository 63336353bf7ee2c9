/** Comments of the repository on Gitea, and the one that the queue edits in place. */

import type { Comment as Listed } from 'gitea-js'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { Comment, OwnComment } from '../forge/api.ts'
import { secondOf } from '../forge/comment-commands.ts'
import { isMissing } from '../forge/failed.ts'
import type { GiteaClient } from './client.ts'

/** Those that were changed since, oldest first. */
export async function commentsSince(client: GiteaClient, since: string): Promise<Comment[]> {
  const { owner, repo } = client
  const found = await client.all('GET issues/comments', ({ repos }, page) =>
    repos.issueGetRepoComments(owner, repo, { since, ...page }),
  )
  return found.map((comment) => commentOf(comment))
}

function commentOf(comment: Listed): Comment {
  const { user, body = '', pull_request_url: ofPull = '', issue_url: ofIssue = '' } = comment
  return {
    id: comment.id ?? 0,
    number: Number((ofPull === '' ? ofIssue : ofPull).split('/').at(-1)),
    by: { login: user?.login ?? '', id: user?.id ?? 0 },
    // Gitea does not tell accounts of programs from others.
    isByBot: false,
    body,
    when: { at: Date.parse(comment.created_at ?? '1970-01-01'), place: comment.id ?? 0 },
    createdAt: instantOf(comment.created_at),
    updatedAt: instantOf(comment.updated_at),
  }
}

/** In the zone of UTC, so that instants can be compared as text: Gitea writes its own zone. */
function instantOf(text = '1970-01-01'): string {
  return secondOf(Date.parse(text))
}

/** Found by its tag and its author: anybody can write the tag. */
export async function ownComment(
  client: GiteaClient,
  number: PullRequestNumber,
  tag: string,
): Promise<OwnComment | null> {
  const { owner, repo } = client
  const login = await client.login()
  const found = await client.ask(`GET issues/${number}/comments`, ({ repos }) =>
    repos.issueGetComments(owner, repo, number),
  )
  const own = found.find(({ body = '', user }) => user?.login === login && body.startsWith(tag))
  return own?.id === undefined ? null : { id: own.id, body: own.body ?? '' }
}

export async function addComment(
  client: GiteaClient,
  number: PullRequestNumber,
  body: string,
): Promise<number> {
  const { owner, repo } = client
  const made = await client.ask(`POST issues/${number}/comments`, ({ repos }) =>
    repos.issueCreateComment(owner, repo, number, { body }),
  )
  return made.id ?? 0
}

/** False: somebody has removed it. */
export async function editComment(client: GiteaClient, id: number, body: string): Promise<boolean> {
  const { owner, repo } = client
  try {
    await client.ask(`PATCH issues/comments/${id}`, ({ repos }) =>
      repos.issueEditComment(owner, repo, id, { body }),
    )
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
