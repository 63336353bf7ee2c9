/** What was done to a pull request on GitHub: its timeline, and the pushes to its branch. */

import type { Endpoints } from '@octokit/types'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { Comment, ActivityEvent, CodeHostApi } from '../code-host/api.ts'
import { concernsOne, isMissing, orElse } from '../code-host/rest.ts'
import type { GitHubClient } from './client.ts'
import { nameOfLabel } from './rules.ts'

/** The events of a timeline that can end a request. Commits in it have no instant of the host. */
const eventKinds: Readonly<Record<string, ActivityEvent['is']>> = {
  labeled: 'labelled',
  unlabeled: 'unlabelled',
  closed: 'closed',
  reopened: 'reopened',
  convert_to_draft: 'drafted',
  base_ref_changed: 'retargeted',
  automatic_base_change_succeeded: 'retargeted',
  head_ref_force_pushed: 'pushed',
}

type Actor = { readonly login?: string; readonly id?: number | bigint }

/** The fields of an event that are read; each kind has others. */
type TimelineEvent = {
  readonly event?: string
  readonly created_at?: string
  readonly actor?: Actor | null
  readonly label?: { readonly name?: string }
}

const timeline = 'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline'

/** What was done to pull requests. */
export function activityOn(client: GitHubClient): Pick<CodeHostApi, 'activity' | 'changes'> {
  const changes = async (number: PullRequestNumber): Promise<ActivityEvent[]> => {
    const asked = { issue_number: number }
    const events = await client.all(timeline, asked, (data): readonly TimelineEvent[] => data)
    return events.flatMap((event) => activityEventOf(event) ?? [])
  }
  return {
    changes,
    async activity(number) {
      const found = await changes(number)
      const pushes = await pushesOf(client, number)
      const all = [...found, ...(pushes ?? [])].sort((a, b) => a.when.at - b.when.at)
      return { events: all, tellsPushes: pushes !== null }
    },
  }
}

function activityEventOf({
  event = '',
  created_at: at = '',
  actor,
  label,
}: TimelineEvent): ActivityEvent | null {
  const is = eventKinds[event]
  if (is === undefined) return null
  const by = actor?.login === undefined ? null : { login: actor.login, id: Number(actor.id ?? 0) }
  const when = { at: Date.parse(at), place: null }
  return { is, when, by, ...(label?.name === undefined ? {} : { label: nameOfLabel(label.name) }) }
}

/**
 * The pushes to the branch of a pull request, as GitHub has recorded them; null: it does not tell, because the
 * repository of the fork is gone or not to be seen, or this GitHub is too old. The creation of the branch was
 * before the pull request.
 */
async function pushesOf(
  client: GitHubClient,
  number: PullRequestNumber,
): Promise<ActivityEvent[] | null> {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
  const { data: pull } = await client.ask(route, { pull_number: number })
  return pushesTo(client, pull.head.repo, pull.head.ref)
}

/** GitHub answers null for the repository of a fork that was deleted. */
type ForkOf = { readonly owner: { readonly login: string }; readonly name: string }

async function pushesTo(
  client: GitHubClient,
  repo: ForkOf | null,
  branch: string,
): Promise<ActivityEvent[] | null> {
  if (repo === null) return null
  const at = { owner: repo.owner.login, repo: repo.name, ref: `refs/heads/${branch}` }
  const pushes: ActivityEvent[] = []
  try {
    for (let after: string | null = ''; after !== null;) {
      const query = { ...at, per_page: 100, ...(after === '' ? {} : { after }) }
      const answer = await client.ask('GET /repos/{owner}/{repo}/activity', query)
      pushes.push(...answer.data.flatMap((each) => pushOf(each) ?? []))
      after = cursorIn(answer.headers.link)
    }
    return pushes
  } catch (error) {
    if (concernsOne(error)) return null
    throw error
  }
}

function pushOf(push: {
  readonly activity_type: string
  readonly timestamp: string
}): ActivityEvent | null {
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

type Talk = 'comments' | 'ownComment' | 'addComment' | 'editComment' | 'react'

export function talkOn(client: GitHubClient): Pick<CodeHostApi, Talk> {
  return {
    async comments(since) {
      const asked = { sort: 'updated', direction: 'asc', since } as const
      return (await client.all(ofRepository, asked, (data) => data)).map(commentOf)
    },
    /** Found by its tag and its author: anybody can write the tag. */
    async ownComment(number, tag) {
      const login = await client.login()
      const isOwn = ({ body = '', user }: CommentOfOne): boolean =>
        user?.login === login && body.startsWith(tag)
      const asked = { issue_number: number }
      const found = await client.all(
        ofOne,
        asked,
        (data) => data,
        (page) => page.some(isOwn),
      )
      const own = found.find(isOwn)
      return own ? { id: Number(own.id), body: own.body ?? '' } : null
    },
    async addComment(number, body) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
      // Not repeated: if only the answer was lost, the next attempt finds the comment.
      const asked = { issue_number: number, body, request: { retries: 0 } }
      return Number((await client.ask(route, asked)).data.id)
    },
    editComment(_, id, body) {
      const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
      const asked = client.ask(route, { comment_id: id, body })
      return asked.then(() => true, orElse(isMissing, false))
    },
    async react({ id }, isDone) {
      const route = 'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions'
      await client.ask(route, { comment_id: id, content: isDone ? '+1' : '-1' })
    },
  }
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
