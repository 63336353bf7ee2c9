/** What protects the target branch on Gitea. Everybody who may read the branch may read the first part of it. */

import type { Branch, BranchProtection } from 'gitea-js'
import type { Rules } from '../forge/api.ts'
import { isHidden, orElse } from '../forge/failed.ts'
import type { RestClient } from '../forge/rest.ts'

export type GiteaRules = Rules & {
  readonly branch: Branch
  /** Null: the branch is not protected, or only administrators may see how. */
  readonly protection: BranchProtection | null
}

export async function rulesOf(client: RestClient, name: string): Promise<GiteaRules> {
  const branch = await client.get<Branch>(`/branches/${name}`)
  const protection = await protectionOf(client, branch)
  const approvals = branch.required_approvals ?? 0
  return {
    ...{ branch, protection },
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
