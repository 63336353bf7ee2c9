/** What GitLab's dependencies say that must merge before a merge request. Rule: A-361. */

import type { PullRequestNumber } from '../../engine/index.ts'
import { isHidden, orElse } from '../forge/failed.ts'
import type { SeenPull } from '../forge/api.ts'
import type { RestClient } from '../forge/rest.ts'
import type { Block } from './shapes.ts'

type Blockers = {
  /** Those that the queue can land first. */
  readonly here: readonly PullRequestNumber[]
  /** What the others lack, in words. */
  readonly elsewhere: readonly string[]
}

/** Those that have not merged. One is of the queue if it is for the same branch, or is what this one is built on. */
export async function blockersOf(
  client: RestClient,
  { number, base }: Pick<SeenPull, 'number' | 'base'>,
): Promise<Blockers> {
  const here: PullRequestNumber[] = []
  const elsewhere: string[] = []
  const path = `/merge_requests/${number}/blocks`
  // Without a paid tier there are none.
  const blocks = await client.all<Block>(path).catch(orElse(isHidden, []))
  for (const { blocking_merge_request: blocker, blocked_merge_request: own } of blocks) {
    if (blocker?.state === 'merged') continue
    const { iid = 0, target_branch, source_branch } = blocker ?? {}
    const isNear = target_branch === base || source_branch === base
    if (isNear && blocker?.project_id === own?.project_id) here.push(iid)
    else
      elsewhere.push(
        `${blocker?.references?.full ?? 'one that this account may not see'} must merge first`,
      )
  }
  return { here, elsewhere }
}
