/** GitLab, as the rules of `forge/` see it. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { CheckState, Seen } from '../forge/verdict.ts'
import type { Oid } from '../git/git.ts'
import {
  type Button,
  type Comment,
  type ForgeApi,
  type MergeButton,
  noReviewRules,
  type OwnComment,
  type Person,
  type Right,
  type Rules,
  type SeenPull,
  type TestPull,
} from '../forge/api.ts'
import { ForgeFailed, hasStatus, isMissing, orElse, RestClient } from '../forge/rest.ts'
import type { GitLabOptions } from '../hosting/options.ts'
import { testBranchPrefix } from '../hosting/testers.ts'
import { activityOf, changesOf, commentsSince, blockersOf, unapprovedFor } from './activity.ts'
import type { CommitStatus, Member, MergeRequest, Note, Pipeline } from './shapes.ts'

/** There is such a thing already. */
const isThere = hasStatus(409)
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

const pageSize = 100

export function gitlabClient({ api, owner, name, token }: GitLabOptions): RestClient {
  const at = `/projects/${encodeURIComponent(`${owner}/${name}`)}`
  return new RestClient({
    name: 'GitLab',
    api,
    at,
    token,
    gitUser: 'oauth2',
    page: { per_page: String(pageSize) },
    // Empty on the last page; a proxy may have taken the header away.
    isLast: (items, headers) =>
      (headers.get('x-next-page') ?? '') === '' && items.length < pageSize,
  })
}

export class GitLabApi implements ForgeApi {
  readonly forge = 'GitLab'
  readonly merging: { readonly by: 'button' } & MergeButton
  readonly #client: RestClient

  constructor(client: RestClient) {
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

  close = (number: PullRequestNumber) => this.#change(number, { state_event: 'close' })
  retarget = (number: PullRequestNumber, base: string) =>
    this.#change(number, { target_branch: base })

  #change(
    number: PullRequestNumber,
    changes: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<void> {
    return this.#client.change('PUT', `/merge_requests/${number}`, changes)
  }

  async openTestPull({ title, body, branch, base }: TestPull): Promise<void> {
    const request = {
      // GitLab takes it for a draft by its title.
      title: `Draft: ${title}`,
      description: body,
      source_branch: branch,
      target_branch: base,
    }
    await this.#client.change('POST', '/merge_requests', request).catch(orElse(isThere, null))
  }

  comments = (since: string) => commentsSince(this.#client, since)

  async rightOf({ id }: Person): Promise<Right> {
    const path = `/members/all/${id}`
    const found = await this.#client.get<Member>(path).catch(orElse(isMissing, null))
    if (found === null) return { role: 'no member', mayWrite: false }
    const { access_level: level = 0 } = found
    return { role: roles[level] ?? `level ${level}`, mayWrite: level >= developer }
  }

  activity = (number: PullRequestNumber) => activityOf(this.#client, number)
  changes = (number: PullRequestNumber) => changesOf(this.#client, number)

  react = ({ id, number }: Pick<Comment, 'id' | 'number'>, isHeeded: boolean): Promise<void> => {
    const name = isHeeded ? 'thumbsup' : 'thumbsdown'
    return this.#client.change('POST', `${notesOf(number)}/${id}/award_emoji`, { name })
  }

  /** Found by its tag and its author: anybody can write the tag. */
  async ownComment(number: PullRequestNumber, tag: string): Promise<OwnComment | null> {
    const login = await this.#client.login()
    const isOwn = ({ author, body = '' }: Note): boolean =>
      author?.username === login && body.startsWith(tag)
    const found = await this.#client.all<Note>(
      notesOf(number),
      { order_by: 'created_at', sort: 'asc' },
      (page) => page.some((note) => isOwn(note)),
    )
    const own = found.find((note) => isOwn(note))
    return own?.id === undefined ? null : { id: own.id, body: own.body ?? '' }
  }

  async addComment(number: PullRequestNumber, body: string): Promise<number> {
    return (await this.#client.change<Note>('POST', notesOf(number), { body })).id ?? 0
  }

  /** False: somebody has removed it. */
  editComment = (number: PullRequestNumber, id: number, body: string): Promise<boolean> =>
    this.#client
      .change('PUT', `${notesOf(number)}/${id}`, { body })
      .then(() => true, orElse(isMissing, false))

  /** It would be a job in the pipeline of the merge request, and hold up its merge button. */
  setStatus = (): Promise<void> => Promise.resolve()

  async makeLabel(name: string): Promise<void> {
    const label = { name, color: '#8c959f' }
    await this.#client.change('POST', '/labels', label).catch(orElse(isThere, null))
  }

  addLabel = (number: PullRequestNumber, name: string) =>
    this.#change(number, { add_labels: [name] })
  removeLabel = (number: PullRequestNumber, name: string) =>
    this.#change(number, { remove_labels: [name] })

  checks = (commit: Oid, branch: string) => checksOf(this.#client, commit, branch)
  stopCi = (commit: Oid, branch: string) => stopPipelines(this.#client, commit, branch)
}

function notesOf(number: PullRequestNumber): string {
  return `/merge_requests/${number}/notes`
}

/** The merge button of GitLab, for `squash`: after a push of another commit it would show nothing as merged. */
const notAllowed = 405
/** GitLab still looks whether it can merge, for example after the merge before. */
const busy = /\((?:checking|unchecked|preparing|approvals_syncing)\)$/

function mergeButton(client: RestClient): MergeButton {
  return {
    press: (number, button) => press(client, number, button),
    isBusy: ({ status, message }) => status === notAllowed && busy.test(message),
  }
}

async function press(
  client: RestClient,
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
      sha: head,
      squash: method === 'squash',
      squash_commit_message: text,
      merge_commit_message: text,
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

async function checksOf(client: RestClient, sha: Oid, branch: string): Promise<Seen> {
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
async function stopPipelines(client: RestClient, sha: Oid, branch: string): Promise<void> {
  for (const { id = 0, status = '' } of await pipelinesOf(client, sha, branch)) {
    if (pipelineStates[status] === undefined) await client.change('POST', `/pipelines/${id}/cancel`)
  }
}

function pipelinesOf(client: RestClient, sha: Oid, ref: string): Promise<Pipeline[]> {
  return client.all<Pipeline>('/pipelines', { sha, ref })
}

// Reads merge requests of GitLab, which are pull requests to the queue.

const stateNames: Readonly<Record<string, SeenPull['state']>> = {
  opened: 'open',
  locked: 'open',
  merged: 'merged',
}

/** The open ones. Those of test branches are our own. */
async function openPulls(client: RestClient): Promise<SeenPull[]> {
  const found = await client.all<MergeRequest>('/merge_requests', { state: 'opened' })
  return found
    .filter(({ source_branch: branch = '' }) => {
      return !`refs/heads/${branch}`.startsWith(testBranchPrefix)
    })
    .map((each) => pullOf(each))
}

/** Null: there is no such merge request. */
function pullAt(client: RestClient, number: PullRequestNumber): Promise<SeenPull | null> {
  return client
    .get<MergeRequest>(`/merge_requests/${number}`)
    .then((request) => pullOf(request), orElse(isMissing, null))
}

function pullOf(request: MergeRequest): SeenPull {
  const { iid: number = 0, title = '', labels = [], draft: isDraft = false } = request
  const { state = '', author, description } = request
  return {
    number,
    title,
    labels,
    isDraft,
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
