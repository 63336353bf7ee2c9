/** What people did to a merge request of GitLab: events of labels and states, its versions, and comments. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Activity, Comment, Deed } from '../forge/api.ts'
import { secondOf } from '../forge/comment-commands.ts'
import type { RestClient } from '../forge/rest.ts'
import type { LabelEvent, Note, ProjectEvent, StateEvent, User, Version } from './shapes.ts'

const dayMs = 86_400_000
/** The accounts of access tokens of projects and groups. */
const bot = /^(?:project|group)_\d+_bot/

function isBot(login: string): boolean {
  return bot.test(login)
}

/**
 * Those that were written since, oldest first. The project has no list of comments, but one of events, which
 * takes days and not instants: it is read from its end. Edits are not in it.
 */
export async function commentsSince(client: RestClient, since: string): Promise<Comment[]> {
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

const states: Readonly<Record<string, Deed['is']>> = { closed: 'closed', reopened: 'reopened' }

/** What GitLab notes in words, the same in every language. */
const notes: readonly (readonly [RegExp, Deed['is']])[] = [
  [/^marked this merge request as \*\*draft\*\*/, 'drafted'],
  [/^changed target branch from /, 'retargeted'],
  [/^deleted the .* branch\. This merge request now targets /, 'retargeted'],
]

/** What changes a merge request beside a push, oldest first. */
export async function changesOf(client: RestClient, number: PullRequestNumber): Promise<Deed[]> {
  const at = `/merge_requests/${number}`
  const changes = await client.all<StateEvent>(`${at}/resource_state_events`)
  const noted = await client.all<Note>(`${at}/notes`, { order_by: 'created_at', sort: 'asc' })
  const deeds: Deed[] = [
    ...changes.flatMap(({ state = '', user, created_at }): Deed | [] => {
      const is = states[state]
      return is === undefined ? [] : { is, when: momentOf(created_at), by: personOf(user) }
    }),
    ...noted.flatMap(({ body = '', system, author, created_at }): Deed | [] => {
      const is = system === true ? notes.find(([words]) => words.test(body))?.[1] : undefined
      return is === undefined ? [] : { is, when: momentOf(created_at), by: personOf(author) }
    }),
  ]
  return inOrder(deeds)
}

function inOrder(deeds: readonly Deed[]): Deed[] {
  return deeds.toSorted((a, b) => a.when.at - b.when.at)
}

/** A push makes a version, and so does another target branch. The first one came with the merge request. */
export async function activityOf(client: RestClient, number: PullRequestNumber): Promise<Activity> {
  const at = `/merge_requests/${number}`
  const labels = await client.all<LabelEvent>(`${at}/resource_label_events`)
  const changes = await changesOf(client, number)
  const found = await client.all<Version>(`${at}/versions`)
  const versions = found.toSorted(({ id: a = 0 }, { id: b = 0 }) => a - b)
  const deeds: Deed[] = [
    ...labels.map(({ action, label, user, created_at }): Deed => {
      const is = action === 'add' ? 'labelled' : 'unlabelled'
      return { is, when: momentOf(created_at), by: personOf(user), label: label?.name ?? '' }
    }),
    ...changes,
    ...versions.slice(1).flatMap(({ head_commit_sha: head, created_at }, index): Deed | [] => {
      const isSame = head === versions[index]?.head_commit_sha
      return isSame ? [] : { is: 'pushed', when: momentOf(created_at), by: null }
    }),
  ]
  return { deeds: inOrder(deeds), tellsPushes: true }
}

function momentOf(text = '1970-01-01') {
  return { at: Date.parse(text), place: null }
}

/** Accounts of access tokens ask for nothing. */
function personOf(user: User | null | undefined) {
  const { username: login = '', id = 0 } = user ?? {}
  return login === '' || isBot(login) ? null : { login, id }
}
