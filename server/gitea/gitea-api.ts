/** Gitea and Forgejo, as the rules of `code-host/` see them. */

import type {
  Comment as Listed,
  CommitStatus,
  Label,
  PullRequest,
  PullReview,
  TimelineComment,
  Branch,
  BranchProtection,
} from 'gitea-js'
import type { PullRequestNumber } from '../../engine/index.ts'
import { isOwnStatus } from '../code-host/report.ts'
import { type Seen, stateOf } from '../code-host/verdict.ts'
import type { Oid } from '../git/git.ts'
import {
  type Activity,
  type Comment,
  type ActivityEvent,
  type CodeHostApi,
  lackOf,
  noRight,
  type ReviewRules,
  type Rules,
  type SeenPull,
} from '../code-host/api.ts'
import { secondOf } from '../code-host/comment-commands.ts'
import { hasStatus, isMissing, orElse, isHidden, RestClient, textIn } from '../code-host/rest.ts'
import type { GiteaOptions } from '../hosting/options.ts'

const writers = new Set(['write', 'admin', 'owner'])

/** Gitea and Forgejo speak the same here. */
export function giteaClient({ api, owner, name, token }: GiteaOptions): RestClient {
  return new RestClient({
    name: 'Gitea',
    api,
    at: `/repos/${owner}/${name}`,
    token,
    gitUser: 'mergeyard',
    // More are not given at once, whatever is asked for, and fewer may be.
    page: { limit: '50' },
    isLast: (items) => items.length === 0,
  })
}

export function giteaApi(client: RestClient): CodeHostApi {
  return {
    name: 'Gitea',
    now: client.clock.now,
    self: client.self,
    gitAccess: (url) => Promise.resolve(client.gitAccess(url)),
    isUpdatedByReviews: false,
    hasPipelines: false,
    ...pullsOn(client),
    ...talkOn(client),
    ...marksOn(client),
    nameOfLabel: (name) => name,
    rules: (branch) => rulesOf(client, branch),
    unapprovedFor: (number, rules) => unapprovedFor(client, number, rules),
    activity: (number) => activityOf(client, number),
    changes: async (number) => eventsIn(await timelineOf(client, number)),
    async rightOf({ login }) {
      const path = `/collaborators/${login}/permission`
      // The account is gone; or the host is too old to say it, which `doctor` finds.
      const found = await client
        .get<{ readonly permission?: string }>(path)
        .catch(orElse(isMissing, null))
      const { permission: role = '' } = found ?? {}
      return found === null ? noRight : { role, mayWrite: writers.has(role) }
    },
    checks: (commit) => checksOf(client, commit),
    /** Gitea has no request that cancels a run; Forgejo has one, which is not used. */
    stopCi: () => Promise.resolve(),
    /** It notices a push only if its repository is set so; this it takes for any commit on the branch. */
    merging: {
      by: 'mark',
      mark: (number, commit) => {
        const merge = { Do: 'manually-merged', MergeCommitID: commit }
        return client.change('POST', `/pulls/${number}/merge`, merge)
      },
    },
  }
}

type Talk = 'comments' | 'ownComment' | 'addComment' | 'editComment' | 'react'

function talkOn(client: RestClient): Pick<CodeHostApi, Talk> {
  return {
    /** Those that were changed since, oldest first. */
    comments: async (since) =>
      (await client.all<Listed>('/issues/comments', { since })).map(commentOf),
    /** Found by its tag and its author: anybody can write the tag. */
    async ownComment(number, tag) {
      const login = await client.login()
      const found = await client.get<Listed[]>(`/issues/${number}/comments`)
      const own = found.find(({ body = '', user }) => user?.login === login && body.startsWith(tag))
      return own?.id === undefined ? null : { id: own.id, body: own.body ?? '' }
    },
    addComment: async (number, body) =>
      (await client.change<Listed>('POST', `/issues/${number}/comments`, { body })).id ?? 0,
    editComment: (_, id, body) =>
      client
        .change('PATCH', `/issues/comments/${id}`, { body })
        .then(() => true, orElse(isMissing, false)),
    react({ id }, isDone) {
      const content = isDone ? '+1' : '-1'
      return client.change('POST', `/issues/comments/${id}/reactions`, { content })
    },
  }
}

/** Statuses and labels. */
function marksOn(
  client: RestClient,
): Pick<CodeHostApi, 'setStatus' | 'makeLabel' | 'addLabel' | 'removeLabel'> {
  return {
    setStatus(commit, { url, ...status }) {
      const link = url === null ? {} : { target_url: url }
      return client.change('POST', `/statuses/${commit}`, { ...status, ...link })
    },
    makeLabel: async (name) => void (await labelNamed(client, name)),
    async addLabel(number, name) {
      const labels = [await labelNamed(client, name)]
      await client.change('POST', `/issues/${number}/labels`, { labels })
    },
    /** The number is that of the label on the pull request: it can also be one of the organisation. */
    async removeLabel(number, name) {
      const { labels = [] } = await client.get<PullRequest>(`/pulls/${number}`)
      const id = labels.find((each) => each.name === name)?.id
      if (id === undefined) return
      const path = `/issues/${number}/labels/${id}`
      await client.change('DELETE', path).catch(orElse(isMissing, null))
    },
  }
}

function commentOf(comment: Listed): Comment {
  const { id = 0, user, body = '', created_at: at = '1970-01-01' } = comment
  const { pull_request_url: ofPull = '', issue_url: ofIssue = '' } = comment
  return {
    id,
    number: Number((ofPull === '' ? ofIssue : ofPull).split('/').at(-1)),
    by: { login: user?.login ?? '', id: user?.id ?? 0 },
    // Gitea does not tell accounts of programs from others.
    isByBot: false,
    body,
    when: { at: Date.parse(at), place: id },
    createdAt: instantOf(at),
    updatedAt: instantOf(comment.updated_at),
  }
}

/** In the zone of UTC, so that instants can be compared as text: Gitea writes its own zone. */
function instantOf(text = '1970-01-01'): string {
  return secondOf(Date.parse(text))
}

/** What CI says on Gitea: every CI there, also Gitea's own, writes commit statuses. */
async function checksOf(client: RestClient, commit: Oid): Promise<Seen> {
  const path = `/commits/${commit}/statuses`
  const found = await client.all<CommitStatus>(path, { sort: 'oldest' })
  // Oldest first, so that the last of a name is the one that counts.
  const checks = found
    .filter(({ context = '' }) => !isOwnStatus(context))
    .toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0))
    .map(({ context = '', status = 'pending', created_at: at, target_url: url }) => ({
      name: context,
      suite: null,
      isOfWorkflow: false,
      app: null,
      state: stateOf(status !== 'pending', status),
      startedAt: at === undefined ? null : Date.parse(at),
      url: url ?? '',
    }))
  return { checks, workflowRuns: [] }
}

// Whether the reviews of a pull request on Gitea let it merge: counted as Gitea counts them at its merge button.

/** Only those of people whom the protection of the branch listens to are official. */
async function unapprovedFor(
  client: RestClient,
  number: PullRequestNumber,
  rules: ReviewRules,
): Promise<string | null> {
  const asksNothing = rules.approvals === 0 && !rules.isBlockedByRejection
  if (asksNothing && !rules.isBlockedByRequest) return null
  return lackIn(await client.all<PullReview>(`/pulls/${number}/reviews`), rules)
}

/** The last review of each person counts, if it approves or objects; a comment changes nothing. */
function lackIn(reviews: readonly PullReview[], rules: ReviewRules): string | null {
  const official = reviews.filter(({ official: is }) => is === true)
  const last = new Map<string, PullReview>()
  for (const review of official.filter(({ dismissed }) => dismissed !== true)) {
    const { state } = review
    const isVerdict = state === 'APPROVED' || state === 'REQUEST_CHANGES'
    if (isVerdict || state === 'REQUEST_REVIEW') last.set(reviewerOf(review), review)
  }
  const who = (wanted: string, counts: (review: PullReview) => boolean): string[] =>
    [...last].flatMap(([name, each]) => (each.state === wanted && counts(each) ? name : []))
  const isOff = ({ stale }: PullReview): boolean => rules.isStaleIgnored && stale === true
  const dismissed = official.filter((review) => review.dismissed === true).map(reviewerOf)
  return lackOf({
    needed: rules.approvals,
    approvedBy: who('APPROVED', (review) => !isOff(review)),
    objectedBy: rules.isBlockedByRejection ? who('REQUEST_CHANGES', () => true) : [],
    awaitedFrom: rules.isBlockedByRequest ? who('REQUEST_REVIEW', () => true) : [],
    withdrawnFrom: [...dismissed.filter((name) => !last.has(name)), ...who('APPROVED', isOff)],
  })
}

const reviewerOf = ({ user, id = 0 }: PullReview): string => user?.login ?? `team of ${id}`

// Labels of pull requests on Gitea, where a label has a number, and must be there before it is given.

/** A calm grey, that says nothing more than the words. */
const color = '#8c959f'

/** Makes it if it is not there. Returns its number. */
async function labelNamed(client: RestClient, name: string): Promise<number> {
  const known = await client.all<Label>('/labels')
  const label =
    known.find((each) => each.name === name) ??
    (await client.change<Label>('POST', '/labels', { name, color }))
  return label.id ?? 0
}

// What was done to a pull request on Gitea: its timeline, which has everything in its order.

/** A label has this text when it was given, and none when it was taken away. */
const given = '1'

const eventKinds: Readonly<Record<string, ActivityEvent['is']>> = {
  close: 'closed',
  reopen: 'reopened',
  pull_push: 'pushed',
  change_target_branch: 'retargeted',
}

/**
 * All of it at once, which is what Gitea gives without a page. By pages, some could be empty before the last,
 * because it leaves out references from repositories that this account may not see.
 */
async function timelineOf(
  client: RestClient,
  number: PullRequestNumber,
): Promise<readonly TimelineComment[]> {
  const found = await client.get<TimelineComment[] | null>(`/issues/${number}/timeline`)
  // Gitea writes an empty list as null.
  return (found ?? []).toSorted(({ id: a = 0 }, { id: b = 0 }) => a - b)
}

const eventsIn = (timeline: readonly TimelineComment[]): ActivityEvent[] =>
  timeline.flatMap((each) => activityEventOf(each) ?? [])

/** A push is in the timeline a second after the head: until then nobody knows what was asked for. Rule: A-366. */
async function activityOf(client: RestClient, number: PullRequestNumber): Promise<Activity> {
  const timeline = await timelineOf(client, number)
  const pull = await pullsOn(client).pull(number)
  const last = timeline.findLast(({ type }) => type === 'pull_push')
  // Its text lists the commits.
  const tellsPushes = last === undefined || last.body?.includes(pull?.head ?? '') === true
  return { events: eventsIn(timeline), tellsPushes }
}

function activityEventOf(comment: TimelineComment): ActivityEvent | null {
  const { id = 0, user, label } = comment
  const is = whatIs(comment)
  if (is === undefined) return null
  const when = { at: Date.parse(comment.created_at ?? '1970-01-01'), place: id }
  // An account that is gone has no number.
  const by = user?.login === undefined || (user.id ?? 0) <= 0 ? null : userOf(user)
  return { is, when, by, ...(label?.name === undefined ? {} : { label: label.name }) }
}

function whatIs(comment: TimelineComment): ActivityEvent['is'] | undefined {
  const { type = '', body } = comment
  if (type === 'label') return body === given ? 'labelled' : 'unlabelled'
  return isDrafting(comment) ? 'drafted' : eventKinds[type]
}

/** Gitea takes a pull request for a draft by the beginning of its title; an administrator can choose others. */
const draftTitle = /^(?:wip:|\[wip\])/i

function isDrafting({ type, old_title: from = '', new_title: to = '' }: TimelineComment): boolean {
  return type === 'change_title' && draftTitle.test(to) && !draftTitle.test(from)
}

function userOf({ login = '', id = 0 }: NonNullable<TimelineComment['user']>) {
  return { login, id }
}

type Reading = 'openPulls' | 'pull' | 'close' | 'retarget' | 'openTestPull'

function pullsOn(client: RestClient): Pick<CodeHostApi, Reading> {
  return {
    openPulls: async () => (await client.all<PullRequest>('/pulls', { state: 'open' })).map(pullOf),
    pull: (number) =>
      client.get<PullRequest>(`/pulls/${number}`).then(pullOf, orElse(isMissing, null)),
    close: (number) => client.change('PATCH', `/pulls/${number}`, { state: 'closed' }),
    retarget: (number, base) => client.change('PATCH', `/pulls/${number}`, { base }),
    async openTestPull({ title, body, branch, base }) {
      // Gitea takes it for a draft by its title.
      const draft = { title: `WIP: ${title}`, body, head: branch, base }
      // Or there is one for the branch already.
      await client.change('POST', '/pulls', draft).catch(orElse(hasStatus(409), null))
    },
  }
}

/** The document calls no field required. */
function pullOf(pull: PullRequest): SeenPull {
  const { number = 0, title = '', body = '', labels = [], merged = false, draft = false } = pull
  const { head, base, user } = pull
  return {
    number,
    title,
    body,
    isDraft: draft,
    head: textIn(head?.sha),
    state: merged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    base: textIn(base?.ref),
    branch: branchOf(pull),
    author: textIn(user?.login),
    labels: labels.map(({ name = '' }) => name),
    mergedAs: merged ? (pull.merge_commit_sha ?? null) : null,
    updatedAt: textIn(pull.updated_at),
    talk: String(pull.comments),
  }
}

/** Null: of a fork. */
function branchOf({ head, base }: PullRequest): string | null {
  return head?.repo_id === base?.repo_id ? textIn(head?.ref) : null
}

// What protects the target branch on Gitea. Everybody who may read the branch may read the first part of it.

export type GiteaRules = Rules & {
  readonly branch: Branch
  /** Null: the branch is not protected, or only administrators may see how. */
  readonly protection: BranchProtection | null
}

export async function rulesOf(client: RestClient, name: string): Promise<GiteaRules> {
  // A proxy may refuse a slash that is written as `%2F`.
  const path = name.split('/').map(encodeURIComponent).join('/')
  const branch = await client.get<Branch>(`/branches/${path}`)
  const protection = await protectionOf(client, branch)
  const approvals = branch.required_approvals ?? 0
  return {
    branch,
    protection,
    checks: branch.enable_status_check
      ? (branch.status_check_contexts ?? []).map((check) => ({ name: check, app: null }))
      : [],
    reviews: {
      approvals,
      // What is not known is taken for the stricter rule, where reviews count at all.
      isBlockedByRejection: protection?.block_on_rejected_reviews ?? approvals > 0,
      isBlockedByRequest: protection?.block_on_official_review_requests ?? false,
      isStaleIgnored: protection?.ignore_stale_approvals ?? approvals > 0,
    },
  }
}

async function protectionOf(
  client: RestClient,
  { effective_branch_protection_name: rule = '' }: Branch,
): Promise<BranchProtection | null> {
  if (rule === '') return null
  const path = `/branch_protections/${encodeURIComponent(rule)}`
  return client.get<BranchProtection>(path).catch(orElse(isHidden, null))
}
