/** The merge button of GitLab, for `squash`: after a push of another commit it would show nothing as merged. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Button, MergeButton } from '../forge/api.ts'
import { ForgeFailed } from '../forge/failed.ts'
import type { GitLabClient } from './client.ts'
import { commitOf } from './merge-requests.ts'
import type { MergeRequest } from './shapes.ts'

const notAllowed = 405
/** GitLab still looks whether it can merge, for example after the merge before. */
const busy = /\((?:checking|unchecked|preparing|approvals_syncing)\)$/

export function mergeButton(client: GitLabClient): MergeButton {
  return {
    press: (number, button) => press(client, number, button),
    isBusy: ({ status, message }) => status === notAllowed && busy.test(message),
  }
}

async function press(
  client: GitLabClient,
  number: PullRequestNumber,
  { method, head, title, message }: Button,
): Promise<Oid> {
  if (method === 'rebase') {
    const words =
      'GitLab rebases by a setting of the project only: set mergeMethod to merge_commit or squash'
    throw new ForgeFailed(words, notAllowed)
  }
  const text = `${title}\n\n${message}`.trim()
  try {
    const merged = await client.change<MergeRequest>('PUT', `/merge_requests/${number}/merge`, {
      ...{ sha: head, squash: method === 'squash' },
      ...{ squash_commit_message: text, merge_commit_message: text },
      should_remove_source_branch: false,
    })
    const commit = commitOf(merged)
    if (commit !== null) return commit
    throw new ForgeFailed(`PUT /merge_requests/${number}/merge: no commit in the answer`, 0)
  } catch (error) {
    if (!(error instanceof ForgeFailed) || error.status !== notAllowed) throw error
    // The refusal itself does not say why.
    const { detailed_merge_status: why = '' } = await client.get<MergeRequest>(
      `/merge_requests/${number}`,
    )
    throw new ForgeFailed(`${error.message} (${why})`, notAllowed)
  }
}
