/** Reads what GitHub's checks, statuses and workflow runs say about a commit on a test branch. */

import type { Oid } from '../git/git.ts'
import type { GitHubClient } from './client.ts'
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

export type WorkflowRunOnBranch = WorkflowRun & { readonly id: number }

export async function workflowRunsOf(
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
