/** The three things that are written on GitHub about a pull request. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { GitHubClient } from './client.ts'
import { isMissing } from './failed.ts'
import { contextOf, stateLabels, tagOf, type News } from './news.ts'
import { pageSize } from './pulls.ts'

export async function writeStatus(
  client: GitHubClient,
  queue: ManagedQueue,
  { head, status, description, url }: News,
): Promise<void> {
  const octokit = await client.octokit()
  const context = contextOf(queue)
  await octokit.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
    ...client.at,
    ...{ sha: head, state: status, description, context },
    ...(url === null ? {} : { target_url: url }),
  })
}

type CommentToWrite = {
  readonly number: PullRequestNumber
  readonly news: News | null
  readonly refusal: string | undefined
  /** Why the pull request is closed by the queue; null if it is not. */
  readonly closed: string | null
  /** The comments that were found before, by pull request. */
  readonly known: Map<PullRequestNumber, number>
}

/** Edits the comment of the queue, or writes the first one. */
export async function writeComment(
  client: GitHubClient,
  queue: ManagedQueue,
  { number, news, refusal, closed, known }: CommentToWrite,
): Promise<void> {
  const octokit = await client.octokit()
  const { targetBranch } = queue.ref
  const refused = `**Merge queue for \`${targetBranch}\`**: not submitted: ${refusal ?? ''}.`
  const parts = [news?.comment ?? tagOf(queue), refusal === undefined ? [] : refused, closed ?? []]
  const body = parts.flat().join('\n\n')
  const id = known.get(number) ?? (await ownComment(client, queue, number))
  if (id !== null) {
    known.set(number, id)
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
    try {
      await octokit.request(route, { ...client.at, comment_id: id, body })
      return
    } catch (error) {
      // Somebody has removed it.
      if (!isMissing(error)) throw error
    }
  }
  const { data } = await octokit.request(
    'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
    // Not repeated: if only the answer was lost, the next attempt finds the comment.
    { ...client.at, issue_number: number, body, request: { retries: 0 } },
  )
  known.set(number, Number(data.id))
}

/** Found by its tag and its author: anybody can write the tag. */
async function ownComment(
  client: GitHubClient,
  queue: ManagedQueue,
  number: PullRequestNumber,
): Promise<number | null> {
  const octokit = await client.octokit()
  const login = await client.login()
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
  for (let page = 1; ; page++) {
    const query = { issue_number: number, per_page: pageSize, page }
    const { data } = await octokit.request(route, { ...client.at, ...query })
    const own = data.find(
      ({ body = '', user }) => user?.login === login && body.startsWith(tagOf(queue)),
    )
    if (own) return Number(own.id)
    if (data.length < pageSize) return null
  }
}

/** Leaves one of the labels of states on a pull request, or none. */
export async function writeLabel(
  client: GitHubClient,
  {
    number,
    label,
    has,
  }: {
    readonly number: PullRequestNumber
    readonly label: string | null
    readonly has: readonly string[]
  },
): Promise<void> {
  const octokit = await client.octokit()
  const at = { ...client.at, issue_number: number }
  const others = new Set<string>(Object.values(stateLabels).filter((name) => name !== label))
  for (const name of has.filter((each) => others.has(each))) {
    const route = 'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}'
    try {
      await octokit.request(route, { ...at, name })
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  if (label === null || has.includes(label)) return
  const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels'
  await octokit.request(route, { ...at, labels: [label] })
}
