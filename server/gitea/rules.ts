/** What protects the target branch on Gitea. Everybody who may read the branch may read this. */

import type { Rules } from '../forge/api.ts'
import type { GiteaClient } from './client.ts'

export async function rulesOf(client: GiteaClient, branch: string): Promise<Rules> {
  const { owner, repo } = client
  const found = await client.ask(`GET branches/${branch}`, ({ repos }) =>
    repos.repoGetBranch(owner, repo, branch),
  )
  return {
    checks: found.enable_status_check ? (found.status_check_contexts ?? []) : [],
    approvals: found.required_approvals ?? 0,
  }
}
