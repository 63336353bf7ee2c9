/** What was done to a pull request on GitHub: its timeline, and the pushes to its branch. */

import type { Octokit } from '@octokit/core'
import type { Endpoints } from '@octokit/types'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { Activity, Deed, Comment, OwnComment } from '../forge/api.ts'
import { concernsOne, isMissing, orElse } from '../forge/rest.ts'
import type { GitHubClient } from './client.ts'

/** The deeds of a timeline that can end a request. Commits in it have no instant of the host. */
const deeds: Readonly<Record<string, Deed['is']>> = {
  labeled: 'labelled',
  unlabeled: 'unlabelled',
  closed: 'closed',
  reopened: 'reopened',
  convert_to_draft: 'drafted',
  base_ref_changed: 'retargeted',
  automatic_base_change_succeeded: 'retargeted',
  head_ref_force_pushed: 'pushed',
}

const pageSize = 100

type Actor = { readonly login?: string; readonly id?: number | bigint }

/** The fields of an event that are read; each kind has others. */
type TimelineEvent = {
  readonly event?: string
  readonly created_at?: string
  readonly actor?: Actor | null
  readonly label?: { readonly name?: string }
}

export async function activityOf(
  client: GitHubClient,
  number: PullRequestNumber,
): Promise<Activity> {
  const found = await timelineOf(client, number)
  const pushes = await pushesOf(client, number)
  const all = [...found, ...(pushes ?? [])].sort((a, b) => a.when.at - b.when.at)
  return { deeds: all, tellsPushes: pushes !== null }
}

export async function timelineOf(client: GitHubClient, number: PullRequestNumber): Promise<Deed[]> {
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline'
  const events: readonly TimelineEvent[] = await client.all<TimelineEvent>((octokit, page) =>
    octokit.request(route, { ...page, issue_number: number }),
  )
  return events.flatMap((event) => deedOf(event) ?? [])
}

function deedOf({ event = '', created_at: at = '', actor, label }: TimelineEvent): Deed | null {
  const is = deeds[event]
  if (is === undefined) return null
  const by = actor?.login === undefined ? null : { login: actor.login, id: Number(actor.id ?? 0) }
  const when = { at: Date.parse(at), place: null }
  return { is, when, by, ...(label?.name === undefined ? {} : { label: label.name }) }
}

/**
 * The pushes to the branch of a pull request, as GitHub has recorded them; null: it does not tell, because the
 * repository of the fork is gone or not to be seen, or this GitHub is too old. The creation of the branch was
 * before the pull request.
 */
async function pushesOf(client: GitHubClient, number: PullRequestNumber): Promise<Deed[] | null> {
  const octokit = await client.octokit()
  const { data: pull } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...client.at,
    pull_number: number,
  })
  return pushesTo(octokit, pull.head.repo, pull.head.ref)
}

/** GitHub answers null for the repository of a fork that was deleted. */
type ForkOf = { readonly owner: { readonly login: string }; readonly name: string }

async function pushesTo(
  octokit: Octokit,
  repo: ForkOf | null,
  branch: string,
): Promise<Deed[] | null> {
  if (repo === null) return null
  const at = { owner: repo.owner.login, repo: repo.name, ref: `refs/heads/${branch}` }
  const pushes: Deed[] = []
  try {
    for (let after: string | null = ''; after !== null;) {
      const query = { ...at, per_page: pageSize, ...(after === '' ? {} : { after }) }
      const answer = await octokit.request('GET /repos/{owner}/{repo}/activity', query)
      pushes.push(...answer.data.flatMap((each) => pushOf(each) ?? []))
      after = cursorIn(answer.headers.link)
    }
    return pushes
  } catch (error) {
    if (concernsOne(error)) return null
    throw error
  }
}

function pushOf(push: { readonly activity_type: string; readonly timestamp: string }): Deed | null {
  if (push.activity_type === 'branch_creation') return null
  return { is: 'pushed', when: { at: Date.parse(push.timestamp), place: null }, by: null }
}

/** The cursor of the next page: `<https://...&after=abc>; rel="next"`; null on the last. */
function cursorIn(link = ''): string | null {
  const next = link.split(',').find((each) => each.includes('rel="next"')) ?? ''
  const address = /<([^>]*)>/.exec(next)?.[1]
  return address === undefined ? null : new URL(address).searchParams.get('after')
}

// Comments of the repository on GitHub, and the one that the queue edits in place.

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
