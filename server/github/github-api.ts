/** GitHub, as the rules of `code-host/` see it. */

import { setTimeout as wait } from 'node:timers/promises'
import type { PullRequestNumber } from '../../engine/index.ts'
import { isOwnStatus } from '../code-host/report.ts'
import { type Check, type Seen, stateOf, type WorkflowRun } from '../code-host/verdict.ts'
import type { Oid } from '../git/git.ts'
import { type CodeHostApi, lackOf, noRight, type ReviewRules } from '../code-host/api.ts'
import { CodeHostFailed, hasStatus, isMissing, orElse } from '../code-host/rest.ts'
import type { Pressed } from '../hosting/code-host.ts'
import { activityOn, talkOn } from './activity.ts'
import type { Asked, GitHubClient } from './client.ts'
import { nameOfLabel, pullsOn, rulesOf } from './rules.ts'

/** What is asked for is not possible, such as a second pull request for a branch. */
const unprocessable = 422

/** A workflow run that is to be cancelled is over. */
const isOver = 409

type AsyncMerge = Asked<'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge-async'>

const asyncPath = '/merge-async'
/** One a second. */
const mostLooks = 300

/** True if GitHub wants a member of one of its stacks to be merged in the background. */
const isOfStack = ({ status, message }: CodeHostFailed): boolean =>
  status === 403 && /\bstack/i.test(message)

export function githubApi(client: GitHubClient): CodeHostApi {
  return {
    name: 'GitHub',
    now: client.clock.now,
    self: async () => ({ login: await client.login(), id: 0 }),
    gitAccess: client.gitAccess,
    isUpdatedByReviews: true,
    hasPipelines: false,
    ...pullsOn(client),
    ...activityOn(client),
    ...talkOn(client),
    ...marksOn(client),
    nameOfLabel,
    rules: (branch) => rulesOf(client, branch),
    unapprovedFor: (number, rules) => unapprovedFor(client, number, rules),
    /** Triage is `read`, and maintain is `write`; roles of an organization have names of their own. */
    async rightOf({ login }) {
      if (login.endsWith('[bot]')) return { role: 'a program', mayWrite: false }
      const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission'
      const asked = client.ask(route, { username: login })
      const found = await asked.catch(orElse(isMissing, null))
      if (found === null) return noRight
      const { permission, role_name: role } = found.data
      return { role, mayWrite: permission === 'admin' || permission === 'write' }
    },
    checks: (commit, branch) => checksOf(client, commit, branch),
    async stopCi(commit, branch) {
      const route = 'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel'
      for (const { id, state } of await workflowRunsOf(client, commit, branch)) {
        if (state !== 'going') continue
        await client.ask(route, { run_id: id }).catch(orElse(hasStatus(isOver), null))
      }
    },
    merging: {
      by: 'button',
      press: (number, pressed) => press(client, number, pressed),
      isBusy: ({ status, message }) =>
        (status === 405 && /base branch was modified/i.test(message)) ||
        // It merges this one already: somebody has asked before, perhaps this server before a crash.
        (status === 409 && message.includes(asyncPath)),
    },
  }
}

/** GitHub refuses a status with a character beyond the first 65,536 of Unicode. */
const plain = (text: string): string => text.replaceAll(/[\p{Cs}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')

/** Statuses and labels. */
function marksOn(
  client: GitHubClient,
): Pick<CodeHostApi, 'setStatus' | 'makeLabel' | 'addLabel' | 'removeLabel'> {
  return {
    async setStatus(commit, { url, ...status }) {
      const link = url === null ? {} : { target_url: url }
      const [context, description] = [plain(status.context), plain(status.description)]
      const asked = { ...status, context, description, sha: commit, ...link }
      await client.ask('POST /repos/{owner}/{repo}/statuses/{sha}', asked)
    },
    async makeLabel(name) {
      const asked = client.ask('POST /repos/{owner}/{repo}/labels', { name, color: '8c959f' })
      await asked.catch(orElse(hasStatus(unprocessable), null))
    },
    async addLabel(number, name) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/labels'
      await client.ask(route, { issue_number: number, labels: [name] })
    },
    async removeLabel(number, name) {
      const route = 'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}'
      const asked = client.ask(route, { issue_number: number, name })
      await asked.catch(orElse(isMissing, null))
    },
  }
}

async function press(
  client: GitHubClient,
  number: PullRequestNumber,
  { method, head, title, message }: Pressed,
): Promise<Oid> {
  const text = { commit_title: title, commit_message: message }
  const wanted = {
    pull_number: number,
    sha: head,
    merge_method: method === 'merge_commit' ? 'merge' : method,
    ...(method === 'rebase' ? {} : text),
  } as const
  try {
    const route = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge'
    return (await client.ask(route, wanted)).data.sha
  } catch (error) {
    if (!(error instanceof CodeHostFailed) || !isOfStack(error)) throw error
    return pressInStack(client, wanted)
  }
}

/**
 * Merges a member of a stack, which GitHub does in the background and with all below it: one whose base is the
 * target branch has nothing below.
 */
async function pressInStack(client: GitHubClient, wanted: AsyncMerge): Promise<Oid> {
  const { pull_number } = wanted
  const begun = await client.ask('PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge-async', {
    ...wanted,
    merge_action: 'direct_merge',
  })
  let { status, details } = begun.data
  const uuid = 'uuid' in details ? details.uuid : ''
  for (let looks = 1; status === 'pending'; looks++) {
    // Nothing is known of this one, so it is asked again later.
    if (looks > mostLooks) throw new CodeHostFailed(`${asyncPath}: GitHub is still at it`, 0)
    await wait(client.lookMs)
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/merge-async/{uuid}'
    const seen = await client.ask(route, { pull_number, uuid })
    ;({ status, details } = seen.data)
  }
  if (status === 'merged' && 'sha' in details) return details.sha
  throw new CodeHostFailed(`GitHub does not merge the stack: ${details.message}`, unprocessable)
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
  const asked = { ref, filter: 'all' } as const
  const found = await client.all(route, asked, ({ check_runs: runs }) => runs)
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
  const found = await client.all(route, { ref }, (data) => data)
  // Oldest first, so that the last of a name is the one that counts.
  const oldestFirst = found.filter(({ context }) => !isOwnStatus(context)).toReversed()
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
  const asked = { branch, head_sha: commit }
  const found = await client.all(route, asked, ({ workflow_runs: runs }) => runs)
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
