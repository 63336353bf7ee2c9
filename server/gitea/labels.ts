/** Labels of pull requests on Gitea, where a label has a number, and must be there before it is given. */

import type { PullRequestNumber } from '../../engine/index.ts'
import { isMissing } from '../forge/failed.ts'
import type { GiteaClient } from './client.ts'

/** A calm grey, that says nothing more than the words. */
const color = '#8c959f'

/** Makes it if it is not there. Returns its number. */
export async function labelNamed(client: GiteaClient, name: string): Promise<number> {
  const { owner, repo } = client
  const known = await client.all('GET labels', ({ repos }, page) =>
    repos.issueListLabels(owner, repo, page),
  )
  const label =
    known.find((each) => each.name === name) ??
    (await client.ask('POST labels', ({ repos }) =>
      repos.issueCreateLabel(owner, repo, { name, color }),
    ))
  return label.id ?? 0
}

export async function addLabel(
  client: GiteaClient,
  number: PullRequestNumber,
  name: string,
): Promise<void> {
  const { owner, repo } = client
  const labels = [await labelNamed(client, name)]
  await client.ask(`POST issues/${number}/labels`, ({ repos }) =>
    repos.issueAddLabel(owner, repo, number, { labels }),
  )
}

/** The number is that of the label on the pull request: it can also be one of the organisation. */
export async function removeLabel(
  client: GiteaClient,
  number: PullRequestNumber,
  name: string,
): Promise<void> {
  const { owner, repo } = client
  const { labels = [] } = await client.ask(`GET pulls/${number}`, ({ repos }) =>
    repos.repoGetPullRequest(owner, repo, number),
  )
  const id = labels.find((each) => each.name === name)?.id
  if (id === undefined) return
  try {
    await client.ask(`DELETE issues/${number}/labels/${id}`, ({ repos }) =>
      repos.issueRemoveLabel(owner, repo, number, id),
    )
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
