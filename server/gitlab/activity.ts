/** What people did to a merge request of GitLab: events of labels and states, its versions, and comments. */

import type { PullRequestNumber } from '../../engine/index.ts'
import {
  type Activity,
  type Comment,
  type ActivityEvent,
  offWords,
  type SeenPull,
} from '../code-host/api.ts'
import { secondOf } from '../code-host/comment-commands.ts'
import { CodeHostFailed, type RestClient, isMissing, orElse, isHidden } from '../code-host/rest.ts'
import type {
  LabelEvent,
  Note,
  ProjectEvent,
  StateEvent,
  User,
  Version,
  ApprovalRule,
  ApprovalState,
  MergeRequest,
  Block,
} from './shapes.ts'

const dayMs = 86_400_000
/** The accounts of access tokens of projects and groups. */
const bot = /^(?:project|group)_\d+_bot/

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
    isByBot: bot.test(login),
    body,
    when: { at: Date.parse(note.created_at ?? '1970-01-01'), place: null },
    createdAt,
    updatedAt: createdAt,
  }
}

const states: Readonly<Record<string, ActivityEvent['is']>> = {
  closed: 'closed',
  reopened: 'reopened',
}

/** What GitLab notes in words, the same in every language. */
const notes: readonly (readonly [RegExp, ActivityEvent['is']])[] = [
  [/^marked this merge request as \*\*draft\*\*/, 'drafted'],
  [/^changed target branch from /, 'retargeted'],
  [/^deleted the .* branch\. This merge request now targets /, 'retargeted'],
]

/** What changes a merge request beside a push, oldest first. */
export async function changesOf(
  client: RestClient,
  number: PullRequestNumber,
): Promise<ActivityEvent[]> {
  const at = `/merge_requests/${number}`
  const changes = await client.all<StateEvent>(`${at}/resource_state_events`)
  const noted = await client.all<Note>(`${at}/notes`, { order_by: 'created_at', sort: 'asc' })
  const labels = await client.all<LabelEvent>(`${at}/resource_label_events`)
  const events: ActivityEvent[] = [
    ...labels.map(({ action, label, user, created_at }): ActivityEvent => {
      const is = action === 'add' ? 'labelled' : 'unlabelled'
      return { is, when: momentOf(created_at), by: personOf(user), label: label?.name ?? '' }
    }),
    ...changes.flatMap(({ state = '', user, created_at }): ActivityEvent | [] => {
      const is = states[state]
      return is === undefined ? [] : { is, when: momentOf(created_at), by: personOf(user) }
    }),
    ...noted.flatMap(({ body = '', system, author, created_at }): ActivityEvent | [] => {
      const is = system === true ? notes.find(([words]) => words.test(body))?.[1] : undefined
      return is === undefined ? [] : { is, when: momentOf(created_at), by: personOf(author) }
    }),
  ]
  return inOrder(events)
}

function inOrder(events: readonly ActivityEvent[]): ActivityEvent[] {
  return events.toSorted((a, b) => a.when.at - b.when.at)
}

/** A push makes a version, and so does another target branch. The first one came with the merge request. */
export async function activityOf(client: RestClient, number: PullRequestNumber): Promise<Activity> {
  const at = `/merge_requests/${number}`
  const changes = await changesOf(client, number)
  const found = await client.all<Version>(`${at}/versions`)
  const versions = found.toSorted(({ id: a = 0 }, { id: b = 0 }) => a - b)
  const events: ActivityEvent[] = [
    ...changes,
    ...versions
      .slice(1)
      .flatMap(({ head_commit_sha: head, created_at }, index): ActivityEvent | [] => {
        const isSame = head === versions[index]?.head_commit_sha
        return isSame ? [] : { is: 'pushed', when: momentOf(created_at), by: null }
      }),
  ]
  return { events: inOrder(events), tellsPushes: true }
}

function momentOf(text = '1970-01-01') {
  return { at: Date.parse(text), place: null }
}

/** Accounts of access tokens ask for nothing. */
function personOf(user: User | null | undefined) {
  const { username: login = '', id = 0 } = user ?? {}
  return login === '' || bot.test(login) ? null : { login, id }
}

// Whether the reviews of a merge request let it merge, as GitLab says, and by whom it lacks what.

/** GitLab looks anew whether it can merge, as after each change of the branch, and tells no obstacle meanwhile. */
export const looking = ['checking', 'preparing', 'unchecked']

/** The status of a merge request names only the first of several obstacles: changes that are requested. */
export async function unapprovedFor(
  client: RestClient,
  number: PullRequestNumber,
): Promise<string | null> {
  const path = `/merge_requests/${number}`
  const { detailed_merge_status: verdict = '', target_branch: base = '' } =
    await client.get<MergeRequest>(path)
  const isLooking = looking.includes(verdict)
  if (isLooking || verdict === 'requested_changes') {
    const by = whose(await lastReviews(client, path), 'objects')
    const words = `changes are requested${by.length === 0 ? '' : ` by ${by.join(', ')}`}`
    if (!isLooking) return words
    // Only GitLab knows whether they count. It is asked again, and the others go on.
    if (by.length > 0)
      throw new CodeHostFailed(`GET ${path}: GitLab is still ${verdict}; ${words}`, 500)
  }
  const { elsewhere } = await blockersOf(client, { number, base })
  const lacks = [...(await lacksOf(client, path, verdict === 'not_approved')), ...elsewhere]
  if (lacks.length === 0) return null
  const off = whose(await lastReviews(client, path), 'withdrew')
  return [...lacks, ...offWords(off)].join('; ')
}

async function lacksOf(client: RestClient, path: string, isRefused: boolean): Promise<string[]> {
  const state = client.get<ApprovalState>(`${path}/approval_state`)
  // Without a paid tier nothing can be required.
  const { rules = [] } = await state.catch(orElse(isMissing, { rules: [] }))
  const lacks = rules.filter(({ approved = false }) => !approved).map(lackOfRule)
  return lacks.length === 0 && isRefused ? ['an approval that GitLab asks for'] : lacks
}

function lackOfRule({ name = '', approvals_required = 1, approved_by = [] }: ApprovalRule): string {
  const given = approved_by.map(({ username = '' }) => username).join(', ')
  const by = given === '' ? '' : `, by ${given}`
  return `${approved_by.length} of ${approvals_required} approvals of the rule ${name}${by}`
}

type Review = 'approves' | 'withdrew' | 'objects'

/** What GitLab notes in words, the same in every language. */
const reviewNotes: readonly (readonly [RegExp, Review])[] = [
  [/^approved this merge request/, 'approves'],
  [/^unapproved this merge request/, 'withdrew'],
  [/^requested changes/, 'objects'],
]
/**
 * A push took away the approvals of those whom the note mentions: "reset approvals from @ada, @lee, and @mia by pushing to
 * the branch", of who pushed. A new base or a call of the API takes them away without a note.
 */
const reset = /^reset approvals from (.+) by pushing/

/** People by their last review, as far as the newest page of notes tells. */
async function lastReviews(client: RestClient, path: string): Promise<ReadonlyMap<string, Review>> {
  const newest = { order_by: 'created_at', sort: 'desc' }
  const found = await client.all<Note>(`${path}/notes`, newest, () => true)
  const last = new Map<string, Review>()
  for (const { body = '', system, author } of found.toReversed()) {
    if (system !== true) continue
    const is = reviewNotes.find(([words]) => words.test(body))?.[1]
    if (is !== undefined) last.set(author?.username ?? '', is)
    const [, mentioned = ''] = reset.exec(body) ?? []
    for (const [, login = ''] of mentioned.matchAll(/@([\w.-]+)/g)) last.set(login, 'withdrew')
  }
  return last
}

const whose = (last: ReadonlyMap<string, Review>, wanted: Review): string[] =>
  [...last].flatMap(([login, is]) => (is === wanted ? login : []))

// What GitLab's dependencies say that must merge before a merge request. Rule: A-361.

type Blockers = {
  /** Those that the queue can land first. */
  readonly here: readonly PullRequestNumber[]
  /** What the others lack, in words. */
  readonly elsewhere: readonly string[]
}

/** Those that have not merged. One is of the queue if it is for the same branch, or is what this one is built on. */
export async function blockersOf(
  client: RestClient,
  { number, base }: Pick<SeenPull, 'number' | 'base'>,
): Promise<Blockers> {
  const here: PullRequestNumber[] = []
  const elsewhere: string[] = []
  const path = `/merge_requests/${number}/blocks`
  // Without a paid tier there are none.
  const blocks = await client.all<Block>(path).catch(orElse(isHidden, []))
  for (const { blocking_merge_request: blocker, blocked_merge_request: own } of blocks) {
    if (blocker?.state === 'merged') continue
    const { iid = 0, target_branch, source_branch } = blocker ?? {}
    const isNear = target_branch === base || source_branch === base
    if (isNear && blocker?.project_id === own?.project_id) here.push(iid)
    else
      elsewhere.push(
        `${blocker?.references?.full ?? 'one that this account may not see'} must merge first`,
      )
  }
  return { here, elsewhere }
}
