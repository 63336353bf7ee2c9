/** What CI says on Gitea: every CI there, also Gitea's own, writes commit statuses. */

import type { Oid } from '../git/git.ts'
import { stateOf, type Seen } from '../forge/verdict.ts'
import type { GiteaClient } from './client.ts'

export async function checksOf(client: GiteaClient, commit: Oid): Promise<Seen> {
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
