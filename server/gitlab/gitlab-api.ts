/** GitLab, as the rules of `forge/` see it. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { CheckState, Seen } from '../forge/verdict.ts'
import type { Oid } from '../git/git.ts'
import {
  type Activity,
  type Button,
  type Comment,
  type Deed,
  type ForgeApi,
  type MergeButton,
  noReviewRules,
  type Person,
  type Right,
  type Rules,
  type SeenPull,
  type TestPull,
} from '../forge/api.ts'
import { ForgeFailed, isMissing } from '../forge/failed.ts'
import { testBranchPrefix } from '../hosting/testers.ts'
import type { GitLabClient } from './client.ts'
import * as comments from './comments.ts'
import { isBot } from './comments.ts'
import { blockersOf } from './blockers.ts'
import { unapprovedFor } from './reviews.ts'
import type {
  CommitStatus,
  LabelEvent,
  Member,
  MergeRequest,
  Note,
  Pipeline,
  StateEvent,
  User,
  Version,
} from './shapes.ts'

const conflict = 409
/** From this level on people may push. */
const developer = 30

const roles: Readonly<Record<number, string>> = {
  10: 'guest',
  15: 'planner',
  20: 'reporter',
  30: 'developer',
  40: 'maintainer',
  50: 'owner',
}

export class GitLabApi implements ForgeApi {
  readonly forge = 'GitLab'
  readonly merging: { readonly by: 'button' } & MergeButton
  readonly #client: GitLabClient

  constructor(client: GitLabClient) {
    this.#client = client
    this.merging = { by: 'button', ...mergeButton(client) }
  }

  get clockAheadMs(): number {
    return this.#client.clockAheadMs
  }

  self = () => this.#client.self()
  gitAccess = (url: string) => Promise.resolve(this.#client.gitAccess(url))
  openPulls = () => openPulls(this.#client)
  pull = (number: PullRequestNumber) => pullAt(this.#client, number)

  readonly isUpdatedByReviews = false
  /** GitLab requires no checks by name: its pipelines count. What it asks of reviews only it knows. */
  rules = (): Promise<Rules> =>
    Promise.resolve({ checks: [{ name: '*', app: null }], reviews: noReviewRules })

  unapprovedFor = (number: PullRequestNumber) => unapprovedFor(this.#client, number)
  blockers = async (pull: SeenPull) => (await blockersOf(this.#client, pull)).here

  async close(number: PullRequestNumber): Promise<void> {
    await this.#client.change('PUT', `/merge_requests/${number}`, { state_event: 'close' })
  }

  async retarget(number: PullRequestNumber, base: string): Promise<void> {
    await this.#client.change('PUT', `/merge_requests/${number}`, { target_branch: base })
  }

  async openTestPull({ title, body, branch, base }: TestPull): Promise<void> {
    try {
      await this.#client.change('POST', '/merge_requests', {
        // GitLab takes it for a draft by its title.
        ...{ title: `Draft: ${title}`, description: body },
        ...{ source_branch: branch, target_branch: base },
      })
    } catch (error) {
      // There is one for the branch already.
      if (!(error instanceof ForgeFailed) || error.status !== conflict) throw error
    }
  }

  comments = (since: string) => comments.commentsSince(this.#client, since)

  async rightOf({ id }: Person): Promise<Right> {
    try {
      const { access_level: level = 0 } = await this.#client.get<Member>(`/members/all/${id}`)
      return { role: roles[level] ?? `level ${level}`, mayWrite: level >= developer }
    } catch (error) {
      if (isMissing(error)) return { role: 'no member', mayWrite: false }
      throw error
    }
  }

  activity = (number: PullRequestNumber) => activityOf(this.#client, number)
  changes = (number: PullRequestNumber) => changesOf(this.#client, number)

  async react({ id, number }: Pick<Comment, 'id' | 'number'>, isHeeded: boolean): Promise<void> {
    const name = isHeeded ? 'thumbsup' : 'thumbsdown'
    await this.#client.change('POST', `/merge_requests/${number}/notes/${id}/award_emoji`, { name })
  }

  ownComment = (number: PullRequestNumber, tag: string) =>
    comments.ownComment(this.#client, number, tag)
  addComment = (number: PullRequestNumber, body: string) =>
    comments.addComment(this.#client, number, body)
  editComment = (number: PullRequestNumber, id: number, body: string) =>
    comments.editComment(this.#client, { number, id, body })

  /** It would be a job in the pipeline of the merge request, and hold up its merge button. */
  setStatus = (): Promise<void> => Promise.resolve()

  async makeLabel(name: string): Promise<void> {
    try {
      await this.#client.change('POST', '/labels', { name, color: '#8c959f' })
    } catch (error) {
      // It is there.
      if (!(error instanceof ForgeFailed) || error.status !== conflict) throw error
    }
  }

  async addLabel(number: PullRequestNumber, name: string): Promise<void> {
    await this.#client.change('PUT', `/merge_requests/${number}`, { add_labels: [name] })
  }

  async removeLabel(number: PullRequestNumber, name: string): Promise<void> {
    await this.#client.change('PUT', `/merge_requests/${number}`, { remove_labels: [name] })
  }

  checks = (commit: Oid, branch: string) => checksOf(this.#client, commit, branch)
  stopCi = (commit: Oid, branch: string) => stopPipelines(this.#client, commit, branch)
}

/** What was done to a merge request of GitLab: events of labels and states, and its versions. */
const states: Readonly<Record<string, Deed['is']>> = { closed: 'closed', reopened: 'reopened' }

/** What GitLab notes in words, the same in every language. */
const notes: readonly (readonly [RegExp, Deed['is']])[] = [
  [/^marked this merge request as \*\*draft\*\*/, 'drafted'],
  [/^changed target branch from /, 'retargeted'],
  [/^deleted the .* branch\. This merge request now targets /, 'retargeted'],
]

/** What changes a merge request beside a push, oldest first. */
async function changesOf(client: GitLabClient, number: PullRequestNumber): Promise<Deed[]> {
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
async function activityOf(client: GitLabClient, number: PullRequestNumber): Promise<Activity> {
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

/** The merge button of GitLab, for `squash`: after a push of another commit it would show nothing as merged. */
const notAllowed = 405
/** GitLab still looks whether it can merge, for example after the merge before. */
const busy = /\((?:checking|unchecked|preparing|approvals_syncing)\)$/

function mergeButton(client: GitLabClient): MergeButton {
  return {
    press: (number, button) => press(client, number, button),
    isBusy: ({ status, message }) => status === notAllowed && busy.test(message),
  }
}

async function press(
  client: GitLabClient,
  number: PullRequestNumber,
  { method, head, title, message }: Button,
): Promise<Oid> {
  if (method === 'rebase') {
    const words =
      'GitLab rebases by a setting of the project only: set mergeMethod to merge_commit or squash'
    throw new ForgeFailed(words, notAllowed)
  }
  const text = `${title}\n\n${message}`.trim()
  try {
    const merged = await client.change<MergeRequest>('PUT', `/merge_requests/${number}/merge`, {
      ...{ sha: head, squash: method === 'squash' },
      ...{ squash_commit_message: text, merge_commit_message: text },
      should_remove_source_branch: false,
    })
    const commit = commitOf(merged)
    if (commit !== null) return commit
    throw new ForgeFailed(`PUT /merge_requests/${number}/merge: no commit in the answer`, 0)
  } catch (error) {
    if (!(error instanceof ForgeFailed) || error.status !== notAllowed) throw error
    // The refusal itself does not say why.
    const { detailed_merge_status: why = '' } = await client.get<MergeRequest>(
      `/merge_requests/${number}`,
    )
    throw new ForgeFailed(`${error.message} (${why})`, notAllowed)
  }
}

/** Whatever is not over is going, also a pipeline that waits for a job that somebody must start. */
const pipelineStates: Readonly<Record<string, CheckState>> = {
  success: 'passed',
  failed: 'failed',
  canceled: 'lost',
  skipped: 'skipped',
}

async function checksOf(client: GitLabClient, sha: Oid, branch: string): Promise<Seen> {
  const pipelines = await pipelinesOf(client, sha, branch)
  if (pipelines.length === 0) return { checks: [], workflowRuns: [] }
  const path = `/repository/commits/${sha}/statuses`
  const jobs = await client.all<CommitStatus>(path, { ref: branch })
  return {
    checks: jobs.map((job) => ({
      name: job.name ?? '',
      suite: job.pipeline_id ?? null,
      isOfWorkflow: true,
      app: null,
      state: stateOf(job),
      // The pipeline tells which run it is of.
      startedAt: null,
      url: job.target_url ?? '',
    })),
    workflowRuns: pipelines.map(({ id = 0, status = '', web_url: url = '' }) => ({
      suite: id,
      name: 'pipeline',
      state: pipelineStates[status] ?? 'going',
      url,
    })),
  }
}

/** A job that may fail does not fail its pipeline. */
function stateOf({ status = '', allow_failure: mayFail = false }: CommitStatus): CheckState {
  const state = pipelineStates[status] ?? 'going'
  return mayFail && state === 'failed' ? 'passed' : state
}

/** Ends those whose verdict nobody waits for. */
async function stopPipelines(client: GitLabClient, sha: Oid, branch: string): Promise<void> {
  for (const { id = 0, status = '' } of await pipelinesOf(client, sha, branch)) {
    if (pipelineStates[status] === undefined) await client.change('POST', `/pipelines/${id}/cancel`)
  }
}

function pipelinesOf(client: GitLabClient, sha: Oid, ref: string): Promise<Pipeline[]> {
  return client.all<Pipeline>('/pipelines', { sha, ref })
}

/** Reads merge requests of GitLab, which are pull requests to the queue. */
const stateNames: Readonly<Record<string, SeenPull['state']>> = {
  opened: 'open',
  locked: 'open',
  merged: 'merged',
}

/** The open ones. Those of test branches are our own. */
async function openPulls(client: GitLabClient): Promise<SeenPull[]> {
  const found = await client.all<MergeRequest>('/merge_requests', { state: 'opened' })
  return found
    .filter(({ source_branch: branch = '' }) => {
      return !`refs/heads/${branch}`.startsWith(testBranchPrefix)
    })
    .map((each) => pullOf(each))
}

/** Null: there is no such merge request. */
async function pullAt(client: GitLabClient, number: PullRequestNumber): Promise<SeenPull | null> {
  try {
    return pullOf(await client.get<MergeRequest>(`/merge_requests/${number}`))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function pullOf(request: MergeRequest): SeenPull {
  const { iid: number = 0, title = '', labels = [], draft: isDraft = false } = request
  const { state = '', author, description } = request
  return {
    ...{ number, title, labels, isDraft },
    head: request.sha ?? '',
    state: stateNames[state] ?? 'closed',
    base: request.target_branch ?? '',
    branch: branchOf(request),
    body: description ?? '',
    author: author?.username ?? '',
    mergedAs: state === 'merged' ? commitOf(request) : null,
    updatedAt: request.updated_at ?? '',
  }
}

/** Null: of a fork. */
function branchOf(request: MergeRequest): string | null {
  const isOfFork = request.source_project_id !== request.target_project_id
  return isOfFork ? null : (request.source_branch ?? '')
}

/** The commit on the branch: of the merge, of the squash, or the head after a fast forward. */
function commitOf({ merge_commit_sha, squash_commit_sha, sha }: MergeRequest) {
  return merge_commit_sha ?? squash_commit_sha ?? sha ?? null
}
