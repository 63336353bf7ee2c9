/** Reads new comments of the repository, and finds the commands in them. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { GitHubClient } from './client.ts'
import { commandIn, type CommentCommand } from './command.ts'
import type { MemoryFile } from './memory.ts'
import { pageSize } from './pulls.ts'

export type Asked = {
  readonly comment: number
  readonly number: PullRequestNumber
  readonly by: string
  readonly command: CommentCommand
}

/**
 * The commands since the last call, oldest first. Comments of bots never command, and an edit of a known
 * comment neither. The first call of all reads nothing: what was said before is over.
 */
export async function newCommands(
  client: GitHubClient,
  file: MemoryFile,
  now: number,
): Promise<Asked[]> {
  const { commentsSince: since, lastComment } = file.memory
  const octokit = await client.octokit()
  if (since === null) {
    await beginToListen(client, file, now)
    return []
  }
  const asked: Asked[] = []
  let [latest, last] = [since, lastComment]
  for (let page = 1; ; page++) {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/issues/comments', {
      ...client.at,
      ...{ since, per_page: pageSize, page, sort: 'updated', direction: 'asc' },
    })
    for (const { id: written, body = '', user, issue_url: issue, ...at } of data) {
      const { created_at, updated_at } = at
      const id = Number(written)
      if (updated_at > latest) latest = updated_at
      if (id <= lastComment || created_at < since) continue
      last = Math.max(last, id)
      const command = user?.type === 'Bot' ? null : commandIn(body)
      const number = Number(issue.split('/').at(-1))
      if (command) asked.push({ comment: id, number, by: user?.login ?? '', command })
    }
    if (data.length < pageSize) break
  }
  file.change({ commentsSince: latest, lastComment: last })
  return asked.sort((a, b) => a.comment - b.comment)
}

/** Notes the last comment that is there already. */
async function beginToListen(client: GitHubClient, file: MemoryFile, now: number): Promise<void> {
  const octokit = await client.octokit()
  const query = { sort: 'created', direction: 'desc', per_page: 1 } as const
  const route = 'GET /repos/{owner}/{repo}/issues/comments'
  const { data } = await octokit.request(route, { ...client.at, ...query })
  const lastComment = Number(data[0]?.id ?? 0)
  file.change({ commentsSince: secondOf(now + client.clockAheadMs), lastComment })
}

/** GitHub's instants have no milliseconds. */
function secondOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** True if this person may write to the repository now. */
export async function mayWrite(client: GitHubClient, login: string): Promise<boolean> {
  const octokit = await client.octokit()
  const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission'
  const { data } = await octokit.request(route, { ...client.at, username: login })
  return data.permission === 'admin' || data.permission === 'write'
}

/** Shows below a comment that it was heeded, or not. */
export async function react(
  client: GitHubClient,
  comment: number,
  content: '+1' | '-1',
): Promise<void> {
  const octokit = await client.octokit()
  const route = 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions'
  await octokit.request(route, { ...client.at, comment_id: comment, content })
}
