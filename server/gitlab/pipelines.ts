/** What CI says on GitLab: the pipelines of a test branch, and their jobs. */

import type { Oid } from '../git/git.ts'
import type { CheckState, Seen } from '../forge/verdict.ts'
import type { GitLabClient } from './client.ts'
import type { CommitStatus, Pipeline } from './shapes.ts'

/** Whatever is not over is going, also a pipeline that waits for a job that somebody must start. */
const states: Readonly<Record<string, CheckState>> = {
  success: 'passed',
  failed: 'failed',
  canceled: 'lost',
  skipped: 'skipped',
}

export async function checksOf(client: GitLabClient, sha: Oid, branch: string): Promise<Seen> {
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
      state: states[status] ?? 'going',
      url,
    })),
  }
}

/** A job that may fail does not fail its pipeline. */
function stateOf({ status = '', allow_failure: mayFail = false }: CommitStatus): CheckState {
  const state = states[status] ?? 'going'
  return mayFail && state === 'failed' ? 'passed' : state
}

/** Ends those whose verdict nobody waits for. */
export async function stopPipelines(client: GitLabClient, sha: Oid, branch: string): Promise<void> {
  for (const { id = 0, status = '' } of await pipelinesOf(client, sha, branch)) {
    if (states[status] === undefined) await client.change('POST', `/pipelines/${id}/cancel`)
  }
}

function pipelinesOf(client: GitLabClient, sha: Oid, ref: string): Promise<Pipeline[]> {
  return client.all<Pipeline>('/pipelines', { sha, ref })
}
