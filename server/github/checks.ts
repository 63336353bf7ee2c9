/** Reads what GitHub's checks, statuses and workflow runs say about a commit on a test branch. */

import type { Oid } from '../git/git.ts'
import type { GitHubClient } from './client.ts'
import { pageSize } from './pulls.ts'
import { stateOf, type Check, type Seen, type WorkflowRun } from '../forge/verdict.ts'

const actions = 'github-actions'

/** All of it, because a suite can be reported as completed before its last workflow is. */
export async function checksOf(client: GitHubClient, commit: Oid, branch: string): Promise<Seen> {
  const [checkRuns, statuses, workflowRuns] = await Promise.all([
    checkRunsOf(client, commit),
    statusesOf(client, commit),
    workflowRunsOf(client, commit, branch),
  ])
  return { checks: [...checkRuns, ...statuses], workflowRuns }
}

async function checkRunsOf(client: GitHubClient, ref: Oid): Promise<Check[]> {
  const octokit = await client.octokit()
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs'
  const found: Check[] = []
  for (let page = 1; ; page++) {
    const query = { ref, filter: 'all', per_page: pageSize, page } as const
    const { data } = await octokit.request(route, { ...client.at, ...query })
    for (const run of data.check_runs) {
      found.push({
        name: run.name,
        suite: run.check_suite?.id ?? null,
        isOfWorkflow: run.app?.slug === actions,
        state: stateOf(run.status === 'completed', run.conclusion),
        startedAt: instantOf(run.started_at),
        url: run.html_url ?? '',
      })
    }
    if (data.check_runs.length < pageSize) return found
  }
}

async function statusesOf(client: GitHubClient, ref: Oid): Promise<Check[]> {
  const octokit = await client.octokit()
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}/statuses'
  const { data } = await octokit.request(route, { ...client.at, ref, per_page: pageSize })
  // Oldest first, so that the last of a name is the one that counts.
  return data.toReversed().map((status) => ({
    name: status.context,
    suite: null,
    isOfWorkflow: false,
    state: stateOf(status.state !== 'pending', status.state),
    startedAt: instantOf(status.created_at),
    url: status.target_url ?? '',
  }))
}

export type WorkflowRunOnBranch = WorkflowRun & { readonly id: number }

export async function workflowRunsOf(
  client: GitHubClient,
  commit: Oid,
  branch: string,
): Promise<WorkflowRunOnBranch[]> {
  const octokit = await client.octokit()
  const query = { branch, head_sha: commit, per_page: pageSize }
  const route = 'GET /repos/{owner}/{repo}/actions/runs'
  const { data } = await octokit.request(route, { ...client.at, ...query })
  return data.workflow_runs.map((run) => ({
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
