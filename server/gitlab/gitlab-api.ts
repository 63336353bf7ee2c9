/** GitLab, as the rules of `code-host/` see it. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { CheckState, Seen } from '../code-host/verdict.ts'
import type { Oid } from '../git/git.ts'
import { type CodeHostApi, noReviewRules, type SeenPull } from '../code-host/api.ts'
import {
  CodeHostFailed,
  hasStatus,
  isMissing,
  orElse,
  RestClient,
  says,
} from '../code-host/rest.ts'
import type { Pressed } from '../hosting/code-host.ts'
import type { GitLabOptions } from '../hosting/options.ts'
import {
  activityOf,
  changesOf,
  commentsSince,
  blockersOf,
  looking,
  unapprovedFor,
} from './activity.ts'
import type { CommitStatus, Member, MergeRequest, Note, Pipeline } from './shapes.ts'

/** There is such a thing already. */
const isThere = hasStatus(409)
/** From this level on people may push. */
export const developer = 30

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

export function gitlabApi(client: RestClient): CodeHostApi {
  return {
    name: 'GitLab',
    now: client.clock.now,
    self: client.self,
    gitAccess: (url) => Promise.resolve(client.gitAccess(url)),
    isUpdatedByReviews: false,
    hasPipelines: true,
    ...pullsOn(client),
    ...talkOn(client),
    /** GitLab requires no checks by name: its pipelines count. What it asks of reviews only it knows. */
    rules: () => Promise.resolve({ checks: [{ name: '*', app: null }], reviews: noReviewRules }),
    unapprovedFor: (number) => unapprovedFor(client, number),
    blockers: async (pull) => (await blockersOf(client, pull)).here,
    activity: (number) => activityOf(client, number),
    changes: (number) => changesOf(client, number),
    async rightOf({ id }) {
      const path = `/members/all/${id}`
      const found = await client.get<Member>(path).catch(orElse(isMissing, null))
      if (found === null) return { role: 'no member', mayWrite: false }
      const { access_level: level = 0 } = found
      return { role: roles[level] ?? `level ${level}`, mayWrite: level >= developer }
    },
    /** It would be a job in the pipeline of the merge request, and hold up its merge button. */
    setStatus: () => Promise.resolve(),
    nameOfLabel: (name) => name,
    async makeLabel(name) {
      const label = { name, color: '#8c959f' }
      await client.change('POST', '/labels', label).catch(orElse(isThere, null))
    },
    checks: (commit, branch) => checksOf(client, commit, branch),
    stopCi: (commit, branch) => stopPipelines(client, commit, branch),
    merging: {
      by: 'button',
      press: (number, pressed) => press(client, number, pressed),
      isBusy: ({ message }) => busy.test(message),
    },
  }
}

type Talk = 'comments' | 'ownComment' | 'addComment' | 'editComment' | 'react'

function talkOn(client: RestClient): Pick<CodeHostApi, Talk> {
  const notesOf = (number: number): string => `/merge_requests/${number}/notes`
  return {
    comments: (since) => commentsSince(client, since),
    /** Found by its tag and its author: anybody can write the tag. */
    async ownComment(number, tag) {
      const login = await client.login()
      const isOwn = ({ author, body = '' }: Note): boolean =>
        author?.username === login && body.startsWith(tag)
      const order = { order_by: 'created_at', sort: 'asc' }
      const found = await client.all<Note>(notesOf(number), order, (page) => page.some(isOwn))
      const own = found.find(isOwn)
      return own?.id === undefined ? null : { id: own.id, body: own.body ?? '' }
    },
    addComment: async (number, body) =>
      (await client.change<Note>('POST', notesOf(number), { body })).id ?? 0,
    editComment: (number, id, body) =>
      client
        .change('PUT', `${notesOf(number)}/${id}`, { body })
        .then(() => true, orElse(isMissing, false)),
    react({ id, number }, isDone) {
      const name = isDone ? 'thumbsup' : 'thumbsdown'
      const asked = client.change<void>('POST', `${notesOf(number)}/${id}/award_emoji`, { name })
      return asked.catch(orElse(says(/already been taken/i), undefined))
    },
  }
}

/** The merge button of GitLab, for `squash`: after a push of another commit it would show nothing as merged. */
const notAllowed = 405
/** It was allowed, and the merge itself has failed, such as by a hook. */
const unmerged = 422
/** GitLab still looks whether it can merge, for example after the merge before. */
const busy = new RegExp(`\\((?:${looking.join('|')}|approvals_syncing)\\)$`)

async function press(
  client: RestClient,
  number: PullRequestNumber,
  { method, head, title, message }: Pressed,
): Promise<Oid> {
  if (method === 'rebase') {
    const words =
      'GitLab rebases by a setting of the project only: set mergeMethod to merge_commit or squash'
    throw new CodeHostFailed(words, notAllowed)
  }
  const text = `${title}\n\n${message}`.trim()
  const path = `/merge_requests/${number}`
  try {
    const merged = await client.change<MergeRequest>('PUT', `${path}/merge`, {
      sha: head,
      squash: method === 'squash',
      squash_commit_message: text,
      merge_commit_message: text,
      should_remove_source_branch: false,
    })
    const commit = mergedAs(merged)
    if (commit !== null) return commit
    // An older GitLab answers so to a merge that has failed.
    const status = typeof merged.merge_error === 'string' ? unmerged : 0
    throw new CodeHostFailed(`PUT ${path}/merge: no commit in the answer`, status)
  } catch (error) {
    if (!(error instanceof CodeHostFailed) || ![notAllowed, unmerged].includes(error.status)) {
      throw error
    }
    // The refusal itself does not say why.
    const { detailed_merge_status: obstacle = '', merge_error: said } =
      await client.get<MergeRequest>(path)
    const why = error.status === unmerged ? (said ?? obstacle) : obstacle
    throw new CodeHostFailed(`${error.message} (${why})`, error.status)
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
  const commits = new Set(pipelines.map(({ sha: of = sha }) => of))
  const jobs = await Promise.all(
    [...commits].map((of) => client.all<CommitStatus>(`/repository/commits/${of}/statuses`)),
  )
  return {
    // Those of other pipelines are told apart by their number.
    checks: jobs.flat().map((job) => ({
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

/**
 * Those of the branch, and those of a draft that was opened for it: their ref is the merge request, and their commit
 * can be one of its merge. A fork can have a branch of the same name, with pipelines that prove nothing here.
 */
async function pipelinesOf(client: RestClient, sha: Oid, ref: string): Promise<Pipeline[]> {
  const own = await client.all<Pipeline>('/pipelines', { sha, ref })
  const found = await client.all<MergeRequest>('/merge_requests', { source_branch: ref })
  const drafts = found.filter((request) => branchOf(request) === ref && request.sha === sha)
  const theirs = await Promise.all(
    drafts.map(({ iid = 0 }) => client.get<Pipeline[]>(`/merge_requests/${iid}/pipelines`)),
  )
  return [...new Map([...own, ...theirs.flat()].map((each) => [each.id, each])).values()]
}

// Reads merge requests of GitLab, which are pull requests to the queue.

const stateNames: Readonly<Record<string, SeenPull['state']>> = {
  opened: 'open',
  locked: 'open',
  merged: 'merged',
}

type Reading = 'openPulls' | 'pull' | 'close' | 'retarget' | 'openTestPull'

function pullsOn(client: RestClient): Pick<CodeHostApi, Reading | 'addLabel' | 'removeLabel'> {
  const change = (number: PullRequestNumber, changes: Changes): Promise<void> =>
    client.change('PUT', `/merge_requests/${number}`, changes)
  return {
    openPulls: async () =>
      (await client.all<MergeRequest>('/merge_requests', { state: 'opened' })).map(pullOf),
    pull: (number) =>
      client.get<MergeRequest>(`/merge_requests/${number}`).then(pullOf, orElse(isMissing, null)),
    close: (number) => change(number, { state_event: 'close' }),
    retarget: (number, base) => change(number, { target_branch: base }),
    addLabel: (number, name) => change(number, { add_labels: [name] }),
    removeLabel: (number, name) => change(number, { remove_labels: [name] }),
    async openTestPull({ title, body, branch, base }) {
      const request = {
        // GitLab takes it for a draft by its title.
        title: `Draft: ${title}`,
        description: body,
        source_branch: branch,
        target_branch: base,
      }
      await client.change('POST', '/merge_requests', request).catch(orElse(isThere, null))
    },
  }
}

type Changes = Readonly<Record<string, string | readonly string[]>>

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
    mergedAs: mergedAs(request),
    updatedAt: request.updated_at ?? '',
    talk: String(request.user_notes_count),
  }
}

/** Null: of a fork. */
function branchOf(request: MergeRequest): string | null {
  const isOfFork = request.source_project_id !== request.target_project_id
  return isOfFork ? null : (request.source_branch ?? '')
}

/** The commit on the branch: of the merge, of the squash, or the head after a fast forward; null: it has not merged. */
function mergedAs({ state, merge_commit_sha, squash_commit_sha, sha }: MergeRequest) {
  return state === 'merged' ? (merge_commit_sha ?? squash_commit_sha ?? sha ?? null) : null
}
