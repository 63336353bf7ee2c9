/** GitHub, as the rules of `forge/` see it. */

import { setTimeout as wait } from 'node:timers/promises'
import type { Endpoints } from '@octokit/types'
import type { PullRequestNumber } from '../../engine/index.ts'
import { type Check, type Seen, stateOf, type WorkflowRun } from '../forge/verdict.ts'
import type { Oid } from '../git/git.ts'
import {
  type Button,
  type Comment,
  type ForgeApi,
  lackOf,
  noRight,
  type Person,
  type ReviewRules,
  type Right,
  type Status,
  type TestPull,
} from '../forge/api.ts'
import { ForgeFailed, hasStatus, isMissing, orElse } from '../forge/rest.ts'
import { activityOf, timelineOf } from './activity.ts'
import type { GitHubClient } from './client.ts'
import * as comments from './activity.ts'
import { openPulls, pullAt, rulesOf } from './rules.ts'

/** What is asked for is not possible, such as a second pull request for a branch. */
const unprocessable = 422
const isThere = hasStatus(unprocessable)

type AsyncMerge =
  Endpoints['PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge-async']['parameters']

const asyncPath = '/merge-async'
/** One a second. */
const mostLooks = 300

/** True if GitHub wants a member of one of its stacks to be merged in the background. */
const isOfStack = ({ status, message }: ForgeFailed): boolean =>
  status === 403 && /\bstack/i.test(message)

export class GitHubApi implements ForgeApi {
  readonly forge = 'GitHub'
  readonly #client: GitHubClient

  constructor(client: GitHubClient) {
    this.#client = client
  }

  get clockAheadMs(): number {
    return this.#client.clockAheadMs
  }

  self = async () => ({ login: await this.#client.login(), id: 0 })
  gitAccess = (url: string) => this.#client.gitAccess(url)
  openPulls = () => openPulls(this.#client)
  pull = (number: PullRequestNumber) => pullAt(this.#client, number)
  readonly isUpdatedByReviews = true
  rules = (branch: string) => rulesOf(this.#client, branch)

  unapprovedFor = (number: PullRequestNumber, rules: ReviewRules) =>
    unapprovedFor(this.#client, number, rules)

  close = (number: PullRequestNumber) => this.#change(number, { state: 'closed' })
  retarget = (number: PullRequestNumber, base: string) => this.#change(number, { base })

  async #change(
    number: PullRequestNumber,
    changes: { readonly state: 'closed' } | { readonly base: string },
  ): Promise<void> {
    const { octokit, at } = await this.#open()
    const route = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}'
    await octokit.request(route, { ...at, ...changes, pull_number: number })
  }

  async openTestPull({ branch, ...pull }: TestPull): Promise<void> {
    const { octokit, at } = await this.#open()
    const route = 'POST /repos/{owner}/{repo}/pulls'
    await octokit
      .request(route, { ...at, ...pull, head: branch, draft: true })
      .catch(orElse(isThere, null))
  }

  comments = (since: string) => comments.commentsSince(this.#client, since)

  /** Triage is `read`, and maintain is `write`; roles of an organization have names of their own. */
  async rightOf({ login }: Person): Promise<Right> {
    if (login.endsWith('[bot]')) return { role: 'a program', mayWrite: false }
    const { octokit, at } = await this.#open()
    const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission'
    const asked = octokit.request(route, { ...at, username: login })
    const found = await asked.catch(orElse(isMissing, null))
    if (found === null) return noRight
    const { permission, role_name: role } = found.data
    return { role, mayWrite: permission === 'admin' || permission === 'write' }
  }

  activity = (number: PullRequestNumber) => activityOf(this.#client, number)
  changes = (number: PullRequestNumber) => timelineOf(this.#client, number)

  react({ id }: Pick<Comment, 'id'>, isHeeded: boolean): Promise<void> {
    return comments.react(this.#client, id, isHeeded ? '+1' : '-1')
  }

  ownComment = (number: PullRequestNumber, tag: string) =>
    comments.ownComment(this.#client, number, tag)
  addComment = (number: PullRequestNumber, body: string) =>
    comments.addComment(this.#client, number, body)
  editComment = (_: PullRequestNumber, id: number, body: string) =>
    comments.editComment(this.#client, id, body)

  async setStatus(commit: Oid, { url, ...status }: Status): Promise<void> {
    const { octokit, at } = await this.#open()
    await octokit.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
      ...at,
      ...status,
      sha: commit,
      ...(url === null ? {} : { target_url: url }),
    })
  }

  async makeLabel(name: string): Promise<void> {
    const { octokit, at } = await this.#open()
    const route = 'POST /repos/{owner}/{repo}/labels'
    await octokit.request(route, { ...at, name, color: '8c959f' }).catch(orElse(isThere, null))
  }

  async addLabel(number: PullRequestNumber, name: string): Promise<void> {
    const { octokit, at } = await this.#open()
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels'
    await octokit.request(route, { ...at, issue_number: number, labels: [name] })
  }

  async removeLabel(number: PullRequestNumber, name: string): Promise<void> {
    const { octokit, at } = await this.#open()
    const route = 'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}'
    const asked = octokit.request(route, { ...at, issue_number: number, name })
    await asked.catch(orElse(isMissing, null))
  }

  checks = (commit: Oid, branch: string) => checksOf(this.#client, commit, branch)

  async stopCi(commit: Oid, branch: string): Promise<void> {
    const { octokit, at } = await this.#open()
    const route = 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel'
    for (const { id, state } of await workflowRunsOf(this.#client, commit, branch)) {
      if (state === 'going') await octokit.request(route, { ...at, run_id: id })
    }
  }

  readonly merging = {
    by: 'button',
    press: (number: PullRequestNumber, button: Button) => this.#press(number, button),
    isBusy: ({ status, message }: { readonly status: number; readonly message: string }) =>
      (status === 405 && /base branch was modified/i.test(message)) ||
      // It merges this one already: somebody has asked before, perhaps this server before a crash.
      (status === 409 && message.includes(asyncPath)),
  } as const

  async #press(number: PullRequestNumber, { method, head, title, message }: Button): Promise<Oid> {
    const { octokit, at } = await this.#open()
    const text = { commit_title: title, commit_message: message }
    const wanted = {
      ...at,
      pull_number: number,
      sha: head,
      merge_method: method === 'merge_commit' ? 'merge' : method,
      ...(method === 'rebase' ? {} : text),
    } as const
    try {
      const route = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge'
      const { data } = await octokit.request(route, wanted)
      return data.sha
    } catch (error) {
      if (!(error instanceof ForgeFailed) || !isOfStack(error)) throw error
      return this.#pressInStack(wanted)
    }
  }

  /**
   * Merges a member of a stack, which GitHub does in the background and with all below it: one whose base is the
   * target branch has nothing below.
   */
  async #pressInStack(wanted: AsyncMerge): Promise<Oid> {
    const { octokit, at } = await this.#open()
    const { pull_number } = wanted
    const begun = await octokit.request(
      'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge-async',
      { ...wanted, merge_action: 'direct_merge' },
    )
    let { status, details } = begun.data
    const uuid = 'uuid' in details ? details.uuid : ''
    for (let looks = 1; status === 'pending'; looks++) {
      // Nothing is known of this one, so it is asked again later.
      if (looks > mostLooks) throw new ForgeFailed(`${asyncPath}: GitHub is still at it`, 0)
      await wait(this.#client.lookMs)
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/merge-async/{uuid}'
      const seen = await octokit.request(route, { ...at, pull_number, uuid })
      ;({ status, details } = seen.data)
    }
    if (status === 'merged' && 'sha' in details) return details.sha
    throw new ForgeFailed(`GitHub does not merge the stack: ${details.message}`, unprocessable)
  }

  async #open() {
    return { octokit: await this.#client.octokit(), at: this.#client.at }
  }
}

// GitHub's own verdict on the reviews of a pull request.

/** Only GraphQL has the verdict, and can leave out the reviews of people without write access. */
const reviewsQuery = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewDecision
      latestOpinionatedReviews(first: 100, after: $after, writersOnly: true) {
        nodes { state author { login } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`

type Review = {
  readonly state: string
  /** Null: the account is gone. */
  readonly author: { readonly login: string } | null
}

type Answer = {
  readonly repository: {
    readonly pullRequest: {
      readonly reviewDecision: 'APPROVED' | 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED' | null
      readonly latestOpinionatedReviews: {
        /** The last one of each person that approves, objects or was dismissed. */
        readonly nodes: readonly Review[]
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
      } | null
    } | null
  } | null
}

/**
 * What the reviews lack; null: nothing. The verdict counts if there is one. Null stands for a branch that asks for no review, but also for some rules of
 * rulesets that GitHub does not count there: then the reviews of people who may write are counted here.
 */
async function unapprovedFor(
  client: GitHubClient,
  number: PullRequestNumber,
  { approvals }: ReviewRules,
): Promise<string | null> {
  const found: Review[] = []
  for (let after: string | null = null; ;) {
    const asked: Answer = await client.graphql<Answer>(reviewsQuery, {
      ...client.at,
      number,
      after,
    })
    const pull = asked.repository?.pullRequest
    const decision = pull?.reviewDecision ?? null
    if (decision === 'APPROVED' || (decision === null && approvals === 0)) return null
    const reviews = pull?.latestOpinionatedReviews
    found.push(...(reviews?.nodes ?? []))
    if (reviews?.pageInfo.hasNextPage !== true) return decided(decision, found, approvals)
    after = reviews.pageInfo.endCursor
  }
}

function decided(
  decision: 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED' | null,
  reviews: readonly Review[],
  approvals: number,
): string | null {
  const by = (wanted: string): string[] =>
    reviews.flatMap(({ state, author }) => (state === wanted ? (author?.login ?? 'a ghost') : []))
  const lacks = lackOf({
    needed: approvals,
    approvedBy: by('APPROVED'),
    objectedBy: by('CHANGES_REQUESTED'),
    withdrawnFrom: by('DISMISSED'),
  })
  return decision === null ? lacks : (lacks ?? 'a review that the rules of the branch ask for')
}

// Reads what GitHub's checks, statuses and workflow runs say about a commit on a test branch.

const actions = 'github-actions'

/** All of it, because a suite can be reported as completed before its last workflow is. */
async function checksOf(client: GitHubClient, commit: Oid, branch: string): Promise<Seen> {
  const [checkRuns, statuses, workflowRuns] = await Promise.all([
    checkRunsOf(client, commit),
    statusesOf(client, commit),
    workflowRunsOf(client, commit, branch),
  ])
  return { checks: [...checkRuns, ...statuses], workflowRuns }
}

async function checkRunsOf(client: GitHubClient, ref: Oid): Promise<Check[]> {
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs'
  const found = await client.all(async (octokit, page) => {
    const { headers, data } = await octokit.request(route, { ...page, ref, filter: 'all' })
    return { headers, data: data.check_runs }
  })
  return found.map((run) => ({
    name: run.name,
    suite: run.check_suite?.id ?? null,
    isOfWorkflow: run.app?.slug === actions,
    app: run.app?.id ?? null,
    state: stateOf(run.status === 'completed', run.conclusion),
    startedAt: instantOf(run.started_at),
    url: run.html_url ?? '',
  }))
}

async function statusesOf(client: GitHubClient, ref: Oid): Promise<Check[]> {
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}/statuses'
  const found = await client.all((octokit, page) => octokit.request(route, { ...page, ref }))
  // Oldest first, so that the last of a name is the one that counts.
  const oldestFirst = found.toReversed()
  return Promise.all(
    oldestFirst.map(async (status) => ({
      name: status.context,
      suite: null,
      isOfWorkflow: false,
      app: await appOf(client, status.creator),
      state: stateOf(status.state !== 'pending', status.state),
      startedAt: instantOf(status.created_at),
      url: status.target_url ?? '',
    })),
  )
}

/** A status names the account of its App, not the App. */
async function appOf(
  client: GitHubClient,
  creator: { readonly login: string } | null,
): Promise<number | null> {
  const slug = /^(.+)\[bot\]$/.exec(creator?.login ?? '')?.[1]
  return slug === undefined ? null : client.appOf(slug)
}

type WorkflowRunOnBranch = WorkflowRun & { readonly id: number }

async function workflowRunsOf(
  client: GitHubClient,
  commit: Oid,
  branch: string,
): Promise<WorkflowRunOnBranch[]> {
  const route = 'GET /repos/{owner}/{repo}/actions/runs'
  const found = await client.all(async (octokit, page) => {
    const query = { ...page, branch, head_sha: commit }
    const { headers, data } = await octokit.request(route, query)
    return { headers, data: data.workflow_runs }
  })
  return found.map((run) => ({
    id: Number(run.id),
    name: run.name ?? run.path,
    suite: run.check_suite_id === undefined ? null : Number(run.check_suite_id),
    state: stateOf(run.status === 'completed', run.conclusion),
    url: run.html_url,
  }))
}

function instantOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text)
}
