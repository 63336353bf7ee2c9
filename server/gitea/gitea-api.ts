/** Gitea and Forgejo, as the rules of `forge/` see them. */

import type { PullRequest, PullReview, TimelineComment } from 'gitea-js'
import type { PullRequestNumber } from '../../engine/index.ts'
import { type Seen, stateOf } from '../forge/verdict.ts'
import type { Oid } from '../git/git.ts'
import {
  type Activity,
  type Comment,
  type Deed,
  type ForgeApi,
  lackOf,
  noRight,
  type Person,
  type ReviewRules,
  type Right,
  type SeenPull,
  type Status,
  type TestPull,
} from '../forge/api.ts'
import { ForgeFailed, isMissing } from '../forge/failed.ts'
import { testBranchPrefix } from '../hosting/testers.ts'
import type { GiteaClient } from './client.ts'
import * as comments from './comments.ts'
import { rulesOf } from './rules.ts'

const conflict = 409
const writers = new Set(['write', 'admin', 'owner'])

export class GiteaApi implements ForgeApi {
  readonly forge = 'Gitea'
  readonly #client: GiteaClient

  constructor(client: GiteaClient) {
    this.#client = client
  }

  get clockAheadMs(): number {
    return this.#client.clockAheadMs
  }

  self = async () => ({ login: await this.#client.login(), id: 0 })
  gitAccess = (url: string) => Promise.resolve(this.#client.gitAccess(url))
  openPulls = () => openPulls(this.#client)
  pull = (number: PullRequestNumber) => pullAt(this.#client, number)
  readonly isUpdatedByReviews = false
  rules = (branch: string) => rulesOf(this.#client, branch)

  unapprovedFor = (number: PullRequestNumber, rules: ReviewRules) =>
    unapprovedFor(this.#client, number, rules)

  close = (number: PullRequestNumber) => this.#change(number, { state: 'closed' })
  retarget = (number: PullRequestNumber, base: string) => this.#change(number, { base })

  async #change(
    number: PullRequestNumber,
    changes: { readonly state: 'closed' } | { readonly base: string },
  ): Promise<void> {
    const { owner, repo } = this.#client
    await this.#client.ask(`PATCH pulls/${number}`, ({ repos }) =>
      repos.repoEditPullRequest(owner, repo, number, changes),
    )
  }

  async openTestPull({ title, body, branch, base }: TestPull): Promise<void> {
    const { owner, repo } = this.#client
    try {
      await this.#client.ask('POST pulls', ({ repos }) =>
        repos.repoCreatePullRequest(owner, repo, {
          // Gitea takes it for a draft by its title.
          ...{ title: `WIP: ${title}`, body, head: branch, base },
        }),
      )
    } catch (error) {
      // There is one for the branch already.
      if (!(error instanceof ForgeFailed) || error.status !== conflict) throw error
    }
  }

  comments = (since: string) => comments.commentsSince(this.#client, since)

  async rightOf({ login }: Person): Promise<Right> {
    const { owner, repo } = this.#client
    try {
      const { permission = '' } = await this.#client.ask(
        `GET collaborators/${login}/permission`,
        ({ repos }) => repos.repoGetRepoPermissions(owner, repo, login),
      )
      return { role: permission, mayWrite: writers.has(permission) }
    } catch (error) {
      // The account is gone; or the host is too old to say it, which `doctor` finds.
      if (isMissing(error)) return noRight
      throw error
    }
  }

  activity = (number: PullRequestNumber) => activityOf(this.#client, number)
  changes = async (number: PullRequestNumber) => deedsIn(await timelineOf(this.#client, number))

  async react({ id }: Pick<Comment, 'id'>, isHeeded: boolean): Promise<void> {
    const { owner, repo } = this.#client
    const content = isHeeded ? '+1' : '-1'
    await this.#client.ask(`POST issues/comments/${id}/reactions`, ({ repos }) =>
      repos.issuePostCommentReaction(owner, repo, id, { content }),
    )
  }

  ownComment = (number: PullRequestNumber, tag: string) =>
    comments.ownComment(this.#client, number, tag)
  addComment = (number: PullRequestNumber, body: string) =>
    comments.addComment(this.#client, number, body)
  editComment = (_: PullRequestNumber, id: number, body: string) =>
    comments.editComment(this.#client, id, body)

  async setStatus(commit: Oid, { context, state, description, url }: Status): Promise<void> {
    const { owner, repo } = this.#client
    const link = url === null ? {} : { target_url: url }
    await this.#client.ask(`POST statuses/${commit}`, ({ repos }) =>
      repos.repoCreateStatus(owner, repo, commit, { context, state, description, ...link }),
    )
  }

  makeLabel = async (name: string) => void (await labelNamed(this.#client, name))
  addLabel = (number: PullRequestNumber, name: string) => addLabel(this.#client, number, name)
  removeLabel = (number: PullRequestNumber, name: string) => removeLabel(this.#client, number, name)

  checks = (commit: Oid) => checksOf(this.#client, commit)

  /** Gitea has no request that cancels a run; Forgejo has one, which is not used. */
  stopCi = (): Promise<void> => Promise.resolve()

  /** It notices a push only if its repository is set so; this it takes for any commit on the branch. */
  readonly merging = {
    by: 'mark',
    mark: (number: PullRequestNumber, commit: Oid) => this.#mark(number, commit),
  } as const

  async #mark(number: PullRequestNumber, commit: Oid): Promise<void> {
    const { owner, repo } = this.#client
    await this.#client.ask(`POST pulls/${number}/merge`, ({ repos }) =>
      repos.repoMergePullRequest(owner, repo, number, {
        ...{ Do: 'manually-merged', MergeCommitID: commit },
      }),
    )
  }
}

/** What CI says on Gitea: every CI there, also Gitea's own, writes commit statuses. */
async function checksOf(client: GiteaClient, commit: Oid): Promise<Seen> {
  const { owner, repo } = client
  const found = await client.all(`GET commits/${commit}/statuses`, ({ repos }, page) =>
    repos.repoListStatusesByRef(owner, repo, commit, { sort: 'oldest', ...page }),
  )
  // Oldest first, so that the last of a name is the one that counts.
  const checks = found
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
  client: GiteaClient,
  number: PullRequestNumber,
  rules: ReviewRules,
): Promise<string | null> {
  const { owner, repo } = client
  const asksNothing = rules.approvals === 0 && !rules.isBlockedByRejection
  if (asksNothing && !rules.isBlockedByRequest) return null
  const found = await client.all(`GET pulls/${number}/reviews`, ({ repos }, page) =>
    repos.repoListPullReviews(owner, repo, number, page),
  )
  return lackIn(found, rules)
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
async function labelNamed(client: GiteaClient, name: string): Promise<number> {
  const { owner, repo } = client
  const known = await client.all('GET labels', ({ repos }, page) =>
    repos.issueListLabels(owner, repo, page),
  )
  const label =
    known.find((each) => each.name === name) ??
    (await client.ask('POST labels', ({ repos }) =>
      repos.issueCreateLabel(owner, repo, { name, color }),
    ))
  return label.id ?? 0
}

async function addLabel(
  client: GiteaClient,
  number: PullRequestNumber,
  name: string,
): Promise<void> {
  const { owner, repo } = client
  const labels = [await labelNamed(client, name)]
  await client.ask(`POST issues/${number}/labels`, ({ repos }) =>
    repos.issueAddLabel(owner, repo, number, { labels }),
  )
}

/** The number is that of the label on the pull request: it can also be one of the organisation. */
async function removeLabel(
  client: GiteaClient,
  number: PullRequestNumber,
  name: string,
): Promise<void> {
  const { owner, repo } = client
  const { labels = [] } = await client.ask(`GET pulls/${number}`, ({ repos }) =>
    repos.repoGetPullRequest(owner, repo, number),
  )
  const id = labels.find((each) => each.name === name)?.id
  if (id === undefined) return
  try {
    await client.ask(`DELETE issues/${number}/labels/${id}`, ({ repos }) =>
      repos.issueRemoveLabel(owner, repo, number, id),
    )
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

// What was done to a pull request on Gitea: its timeline, which has everything in its order.

/** A label has this text when it was given, and none when it was taken away. */
const given = '1'

const deeds: Readonly<Record<string, Deed['is']>> = {
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
  client: GiteaClient,
  number: PullRequestNumber,
): Promise<readonly TimelineComment[]> {
  const { owner, repo } = client
  const found = await client.ask<TimelineComment[] | null>(
    `GET issues/${number}/timeline`,
    ({ repos }) => repos.issueGetCommentsAndTimeline(owner, repo, number),
  )
  // Gitea writes an empty list as null.
  return (found ?? []).toSorted(({ id: a = 0 }, { id: b = 0 }) => a - b)
}

const deedsIn = (timeline: readonly TimelineComment[]): Deed[] =>
  timeline.flatMap((each) => deedOf(each) ?? [])

/** A push is in the timeline a second after the head: until then nobody knows what was asked for. Rule: A-366. */
async function activityOf(client: GiteaClient, number: PullRequestNumber): Promise<Activity> {
  const timeline = await timelineOf(client, number)
  const pull = await pullAt(client, number)
  const last = timeline.findLast(({ type }) => type === 'pull_push')
  // Its text lists the commits.
  const tellsPushes = last === undefined || last.body?.includes(pull?.head ?? '') === true
  return { deeds: deedsIn(timeline), tellsPushes }
}

function deedOf(comment: TimelineComment): Deed | null {
  const { id = 0, user, label } = comment
  const is = whatIs(comment)
  if (is === undefined) return null
  const when = { at: Date.parse(comment.created_at ?? '1970-01-01'), place: id }
  // An account that is gone has no number.
  const by = user?.login === undefined || (user.id ?? 0) <= 0 ? null : userOf(user)
  return { is, when, by, ...(label?.name === undefined ? {} : { label: label.name }) }
}

function whatIs(comment: TimelineComment): Deed['is'] | undefined {
  const { type = '', body } = comment
  if (type === 'label') return body === given ? 'labelled' : 'unlabelled'
  return isDrafting(comment) ? 'drafted' : deeds[type]
}

/** Gitea takes a pull request for a draft by the beginning of its title; an administrator can choose others. */
const draftTitle = /^(?:wip:|\[wip\])/i

function isDrafting({ type, old_title: from = '', new_title: to = '' }: TimelineComment): boolean {
  return type === 'change_title' && draftTitle.test(to) && !draftTitle.test(from)
}

function userOf({ login = '', id = 0 }: NonNullable<TimelineComment['user']>) {
  return { login, id }
}

/** The open pull requests. Those of test branches are our own. */
async function openPulls(client: GiteaClient): Promise<SeenPull[]> {
  const { owner, repo } = client
  const found = await client.all('GET pulls', ({ repos }, page) =>
    repos.repoListPullRequests(owner, repo, { state: 'open', ...page }),
  )
  return found
    .filter(({ head }) => !`refs/heads/${head?.ref ?? ''}`.startsWith(testBranchPrefix))
    .map((pull) => pullOf(pull))
}

/** Null: there is no such pull request. */
async function pullAt(client: GiteaClient, number: PullRequestNumber): Promise<SeenPull | null> {
  const { owner, repo } = client
  try {
    const pull = await client.ask(`GET pulls/${number}`, ({ repos }) =>
      repos.repoGetPullRequest(owner, repo, number),
    )
    return pullOf(pull)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** The document calls no field required. */
function pullOf(pull: PullRequest): SeenPull {
  const { number = 0, title = '', body = '', labels = [], merged = false, draft = false } = pull
  const { head, base, user } = pull
  return {
    ...{ number, title, body, isDraft: draft },
    head: textOf(head?.sha),
    state: merged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    base: textOf(base?.ref),
    branch: branchOf(pull),
    author: textOf(user?.login),
    labels: labels.map(({ name = '' }) => name),
    mergedAs: merged ? (pull.merge_commit_sha ?? null) : null,
    updatedAt: textOf(pull.updated_at),
  }
}

/** Null: of a fork. */
function branchOf({ head, base }: PullRequest): string | null {
  return head?.repo_id === base?.repo_id ? textOf(head?.ref) : null
}

function textOf(value: string | undefined): string {
  return value ?? ''
}
