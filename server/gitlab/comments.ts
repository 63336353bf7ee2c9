/** Comments on merge requests of GitLab, and the one that the queue edits in place. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Comment, OwnComment } from '../forge/api.ts'
import { secondOf } from '../forge/comment-commands.ts'
import { isMissing } from '../forge/failed.ts'
import type { GitLabClient } from './client.ts'
import type { Note, ProjectEvent } from './shapes.ts'

const dayMs = 86_400_000
/** The accounts of access tokens of projects and groups. */
const bot = /^(?:project|group)_\d+_bot/

export function isBot(login: string): boolean {
  return bot.test(login)
}

/**
 * Those that were written since, oldest first. The project has no list of comments, but one of events, which
 * takes days and not instants: it is read from its end. Edits are not in it.
 */
export async function commentsSince(client: GitLabClient, since: string): Promise<Comment[]> {
  const isOld = ({ created_at: at = '' }: ProjectEvent): boolean =>
    Date.parse(at) < Date.parse(since)
  // The day that is named does not count, and its zone is that of the server.
  const after = new Date(Date.parse(since) - 2 * dayMs).toISOString().slice(0, 10)
  const events = await client.all<ProjectEvent>(
    '/events',
    { action: 'commented', after, sort: 'desc' },
    (page) => page.some((event) => isOld(event)),
  )
  return events
    .filter((event) => !isOld(event))
    .flatMap(({ note }) => (note?.noteable_type === 'MergeRequest' ? [commentOf(note)] : []))
    .reverse()
}

function commentOf({ id = 0, body = '', author, ...note }: Note): Comment {
  const createdAt = secondOf(Date.parse(note.created_at ?? '1970-01-01'))
  const { username: login = '', id: person = 0 } = author ?? {}
  return {
    id,
    number: note.noteable_iid ?? 0,
    by: { login, id: person },
    isByBot: isBot(login),
    body,
    when: { at: Date.parse(note.created_at ?? '1970-01-01'), place: null },
    createdAt,
    updatedAt: createdAt,
  }
}

/** Found by its tag and its author: anybody can write the tag. */
export async function ownComment(
  client: GitLabClient,
  number: PullRequestNumber,
  tag: string,
): Promise<OwnComment | null> {
  const login = await client.login()
  const isOwn = ({ author, body = '' }: Note): boolean =>
    author?.username === login && body.startsWith(tag)
  const notes = await client.all<Note>(
    `/merge_requests/${number}/notes`,
    { order_by: 'created_at', sort: 'asc' },
    (page) => page.some((note) => isOwn(note)),
  )
  const own = notes.find((note) => isOwn(note))
  return own?.id === undefined ? null : { id: own.id, body: own.body ?? '' }
}

export async function addComment(
  client: GitLabClient,
  number: PullRequestNumber,
  body: string,
): Promise<number> {
  const made = await client.change<Note>('POST', `/merge_requests/${number}/notes`, { body })
  return made.id ?? 0
}

/** False: somebody has removed it. */
export async function editComment(
  client: GitLabClient,
  {
    number,
    id,
    body,
  }: { readonly number: PullRequestNumber; readonly id: number; readonly body: string },
): Promise<boolean> {
  try {
    await client.change('PUT', `/merge_requests/${number}/notes/${id}`, { body })
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
