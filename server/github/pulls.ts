/** Reads pull requests: the open ones of a branch, and single ones. */

import type { Endpoints } from '@octokit/types'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { SeenPull } from '../forge/api.ts'
import { isMissing } from '../forge/failed.ts'
import { testBranchPrefix } from '../hosting/testers.ts'
import type { GitHubClient } from './client.ts'

type Listed = Endpoints['GET /repos/{owner}/{repo}/pulls']['response']['data'][number]
type Single = Endpoints['GET /repos/{owner}/{repo}/pulls/{pull_number}']['response']['data']

/** The open pull requests for a branch. Those of test branches are our own. */
export async function openPulls(client: GitHubClient, base: string): Promise<SeenPull[]> {
  const route = 'GET /repos/{owner}/{repo}/pulls'
  const found = await client.all((octokit, page) =>
    octokit.request(route, { ...page, state: 'open', base }),
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
  try {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
      ...client.at,
      pull_number: number,
    })
    return pullOf(data)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function pullOf(pull: Listed | Single): SeenPull {
  const isMerged = pull.merged_at !== null
  return {
    number: pull.number,
    head: pull.head.sha,
    state: isMerged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    isDraft: pull.draft ?? false,
    base: pull.base.ref,
    title: pull.title,
    body: pull.body ?? '',
    author: pull.user?.login ?? '',
    labels: pull.labels.map(({ name }) => name),
    mergedAs: isMerged ? pull.merge_commit_sha : null,
    updatedAt: pull.updated_at,
  }
}
