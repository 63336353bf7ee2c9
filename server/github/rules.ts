/** What protects the target branch, from rulesets and from classic protection. */

import type { Endpoints } from '@octokit/types'
import type { GitHubClient } from './client.ts'
import { noReviewRules, type CodeHostApi, type Rules, type SeenPull } from '../code-host/api.ts'
import { isHidden, isMissing, orElse, says } from '../code-host/rest.ts'
import type { RequiredCheck } from '../code-host/verdict.ts'

/** Rules that are about more than checks and the number of approvals. */
export type OtherRule =
  | 'signatures'
  | 'linear history'
  | 'code owners'
  | 'last push'
  | 'threads'
  | 'reviewers'
  | 'deployments'
  | 'workflows'
  | 'code scanning'
  | 'merge queue'
  | 'restricted pushes'

export type GitHubRules = Rules & {
  readonly others: readonly OtherRule[]
  /** False: the classic protection cannot be read with these credentials. */
  readonly isComplete: boolean
}

type Part = {
  readonly checks: readonly RequiredCheck[]
  readonly approvals: number
  readonly others: readonly OtherRule[]
}

const none: Part = { checks: [], approvals: 0, others: [] }

/** Rulesets and classic protection add up, as they do on GitHub. */
export async function rulesOf(client: GitHubClient, branch: string): Promise<GitHubRules> {
  const [rulesets, classic] = [await rulesetsOf(client, branch), await protectionOf(client, branch)]
  const parts = [rulesets, classic ?? none]
  const checks = new Map(
    parts.flatMap((part) => part.checks.map((check) => [`${check.app} ${check.name}`, check])),
  )
  return {
    checks: [...checks.values()],
    reviews: { ...noReviewRules, approvals: Math.max(...parts.map(({ approvals }) => approvals)) },
    others: [...new Set(parts.flatMap(({ others }) => others))],
    isComplete: classic !== null,
  }
}

/** The types of rules of rulesets that are named here by themselves. */
const ruleTypes: Readonly<Record<string, OtherRule>> = {
  required_signatures: 'signatures',
  required_linear_history: 'linear history',
  required_deployments: 'deployments',
  workflows: 'workflows',
  code_scanning: 'code scanning',
  merge_queue: 'merge queue',
  update: 'restricted pushes',
}

/**
 * Whether it says that nothing protects the branch: the plan of a private repository may offer no rules. `Not Found` says
 * that only to accounts that administer the repository.
 */
const isUnprotected = says(/branch not protected|upgrade to github/i)

async function rulesetsOf(client: GitHubClient, branch: string): Promise<Part> {
  const route = 'GET /repos/{owner}/{repo}/rules/branches/{branch}'
  const asked = client.all(route, { branch }, (rules) => rules)
  // An older GitHub Enterprise Server has no rulesets.
  const data = await asked.catch(orElse((fault) => isMissing(fault) || isUnprotected(fault), []))
  const checks = data.flatMap((rule) =>
    rule.type === 'required_status_checks'
      ? (rule.parameters?.required_status_checks ?? []).map((check) => ({
          name: check.context,
          app: check.integration_id ?? null,
        }))
      : [],
  )
  const reviews = data.flatMap((rule) => (rule.type === 'pull_request' ? [rule.parameters] : []))
  const others = data.flatMap(({ type }) => ruleTypes[type] ?? [])
  const counts = reviews.map((each) => each?.required_approving_review_count ?? 0)
  const ofReviews = namesIn([
    ['code owners', reviews.some((each) => each?.require_code_owner_review)],
    ['last push', reviews.some((each) => each?.require_last_push_approval)],
    ['threads', reviews.some((each) => each?.required_review_thread_resolution)],
    ['reviewers', reviews.some((each) => (each?.required_reviewers ?? []).length > 0)],
  ])
  return { checks, approvals: Math.max(0, ...counts), others: [...others, ...ofReviews] }
}

/** Null: it cannot be read without the permission to administer. */
async function protectionOf(client: GitHubClient, branch: string): Promise<Part | null> {
  const route = 'GET /repos/{owner}/{repo}/branches/{branch}/protection'
  try {
    const { data } = await client.ask(route, { branch })
    const { required_status_checks: required, required_pull_request_reviews: reviews } = data
    const named = required?.checks.map(({ context, app_id: app }) => ({
      name: context,
      // -1 is how GitHub writes any App.
      app: app === null || app < 0 ? null : app,
    }))
    return {
      checks: named ?? [],
      approvals: reviews?.required_approving_review_count ?? 0,
      others: namesIn([
        ['signatures', data.required_signatures?.enabled],
        ['linear history', data.required_linear_history?.enabled],
        ['threads', data.required_conversation_resolution?.enabled],
        ['code owners', reviews?.require_code_owner_reviews],
        ['last push', reviews?.require_last_push_approval],
        ['restricted pushes', data.restrictions !== undefined || data.lock_branch?.enabled],
      ]),
    }
  } catch (error) {
    if (isUnprotected(error)) return none
    if (isHidden(error)) return null
    throw error
  }
}

function namesIn(asked: readonly (readonly [OtherRule, boolean | undefined])[]): OtherRule[] {
  return asked.filter(([, isAsked]) => isAsked === true).map(([name]) => name)
}

// Reads pull requests: the open ones, and single ones.

type Listed = Endpoints['GET /repos/{owner}/{repo}/pulls']['response']['data'][number]
type Single = Endpoints['GET /repos/{owner}/{repo}/pulls/{pull_number}']['response']['data']

type Reading = 'openPulls' | 'pull' | 'close' | 'retarget' | 'openTestPull'

export function pullsOn(client: GitHubClient): Pick<CodeHostApi, Reading> {
  const one = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}'
  return {
    async openPulls() {
      const asked = { state: 'open' } as const
      const found = await client.all('GET /repos/{owner}/{repo}/pulls', asked, (data) => data)
      return found.map(pullOf)
    },
    pull(number) {
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
      const asked = client.ask(route, { pull_number: number })
      return asked.then(({ data }) => pullOf(data), orElse(isMissing, null))
    },
    async close(number) {
      await client.ask(one, { pull_number: number, state: 'closed' })
    },
    async retarget(number, base) {
      await client.ask(one, { pull_number: number, base })
    },
    async openTestPull({ branch, ...pull }) {
      const open = (draft: boolean): Promise<unknown> =>
        client.ask('POST /repos/{owner}/{repo}/pulls', { ...pull, head: branch, draft })
      // A private repository of a free plan has no drafts.
      const opened = open(true).catch((fault: unknown) => {
        if (says(/draft pull requests are not supported/i)(fault)) return open(false)
        throw fault
      })
      // Or there is one for the branch already.
      await opened.catch(orElse(says(/pull request already exists/i), null))
    },
  }
}

/** GitHub does not tell large letters from small ones, and shows a label as it was made. */
export const nameOfLabel = (name: string): string => name.toLowerCase()

function pullOf(pull: Listed | Single): SeenPull {
  const isMerged = pull.merged_at !== null
  return {
    number: pull.number,
    head: pull.head.sha,
    state: isMerged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    isDraft: pull.draft ?? false,
    base: pull.base.ref,
    branch: branchIn(pull.head, pull.base),
    title: pull.title,
    body: pull.body ?? '',
    author: pull.user?.login ?? '',
    labels: pull.labels.map(({ name }) => nameOfLabel(name)),
    mergedAs: isMerged ? pull.merge_commit_sha : null,
    updatedAt: pull.updated_at,
    // A list has no number of comments.
    talk: pull.updated_at,
  }
}

/** GitHub answers null for the repository of a fork that was deleted. */
type Repository = { readonly full_name: string } | null

/** Null: it is in a fork. */
function branchIn(
  head: { readonly ref: string; readonly repo: Repository },
  base: { readonly repo: Repository },
): string | null {
  return head.repo?.full_name === base.repo?.full_name ? head.ref : null
}
