/** Reads pull requests: the open ones, and single ones. */

import type { Endpoints } from '@octokit/types'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { SeenPull } from '../forge/api.ts'
import { isMissing, orElse } from '../forge/failed.ts'
import { testBranchPrefix } from '../hosting/testers.ts'
import type { GitHubClient } from './client.ts'

type Listed = Endpoints['GET /repos/{owner}/{repo}/pulls']['response']['data'][number]
type Single = Endpoints['GET /repos/{owner}/{repo}/pulls/{pull_number}']['response']['data']

/** The open pull requests. Those of test branches are our own. */
export async function openPulls(client: GitHubClient): Promise<SeenPull[]> {
  const route = 'GET /repos/{owner}/{repo}/pulls'
  const found = await client.all((octokit, page) =>
    octokit.request(route, { ...page, state: 'open' }),
  )
  return found
    .filter(({ head }) => !`refs/heads/${head.ref}`.startsWith(testBranchPrefix))
    .map((each) => pullOf(each))
}

/** Null: there is no such pull request. */
export async function pullAt(
  client: GitHubClient,
  number: PullRequestNumber,
): Promise<SeenPull | null> {
  const octokit = await client.octokit()
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
  const asked = octokit.request(route, { ...client.at, pull_number: number })
  return asked.then(({ data }) => pullOf(data), orElse(isMissing, null))
}

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
    labels: pull.labels.map(({ name }) => name),
    mergedAs: isMerged ? pull.merge_commit_sha : null,
    updatedAt: pull.updated_at,
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
