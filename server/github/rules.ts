/** What protects the target branch: required checks and approvals, from rulesets and from protection. */

import type { GitHubClient } from './client.ts'
import type { Rules } from '../forge/api.ts'
import { isForbidden, isMissing } from '../forge/failed.ts'

export type GitHubRules = Rules & {
  /** Commits must be signed, which those of the queue are not. */
  readonly needsSignatures: boolean
  readonly needsLinearHistory: boolean
  /** False: the classic protection cannot be read with these credentials. */
  readonly isComplete: boolean
}

type Part = Omit<GitHubRules, 'isComplete'>

const none: Part = { checks: [], approvals: 0, needsSignatures: false, needsLinearHistory: false }

/** Rulesets and classic protection add up, as they do on GitHub. */
export async function rulesOf(client: GitHubClient, branch: string): Promise<GitHubRules> {
  const [rulesets, classic] = [await rulesetsOf(client, branch), await protectionOf(client, branch)]
  const parts = [rulesets, classic ?? none]
  return {
    checks: [...new Set(parts.flatMap(({ checks }) => checks))],
    approvals: Math.max(...parts.map(({ approvals }) => approvals)),
    needsSignatures: parts.some(({ needsSignatures }) => needsSignatures),
    needsLinearHistory: parts.some(({ needsLinearHistory }) => needsLinearHistory),
    isComplete: classic !== null,
  }
}

async function rulesetsOf(client: GitHubClient, branch: string): Promise<Part> {
  const octokit = await client.octokit()
  const route = 'GET /repos/{owner}/{repo}/rules/branches/{branch}'
  try {
    const { data } = await octokit.request(route, { ...client.at, branch, per_page: 100 })
    const checks = data.flatMap((rule) =>
      rule.type === 'required_status_checks'
        ? (rule.parameters?.required_status_checks ?? []).map(({ context }) => context)
        : [],
    )
    const approvals = data.map((rule) =>
      rule.type === 'pull_request' ? (rule.parameters?.required_approving_review_count ?? 0) : 0,
    )
    const has = (type: string): boolean => data.some((rule) => rule.type === type)
    return {
      checks,
      approvals: Math.max(0, ...approvals),
      needsSignatures: has('required_signatures'),
      needsLinearHistory: has('required_linear_history'),
    }
  } catch (error) {
    // An older GitHub Enterprise Server has no rulesets.
    if (isMissing(error)) return none
    throw error
  }
}

/** Null: it cannot be read without the permission to administer. */
async function protectionOf(client: GitHubClient, branch: string): Promise<Part | null> {
  const octokit = await client.octokit()
  const route = 'GET /repos/{owner}/{repo}/branches/{branch}/protection'
  try {
    const { data } = await octokit.request(route, { ...client.at, branch })
    const required = data.required_status_checks
    return {
      checks: required?.contexts ?? [],
      approvals: data.required_pull_request_reviews?.required_approving_review_count ?? 0,
      needsSignatures: data.required_signatures?.enabled ?? false,
      needsLinearHistory: data.required_linear_history?.enabled ?? false,
    }
  } catch (error) {
    if (isMissing(error)) return none
    if (isForbidden(error)) return null
    throw error
  }
}
