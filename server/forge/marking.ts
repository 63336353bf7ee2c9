/** Tells a host that does not see it by itself that a pull request has merged, and as which commit. */

import type { Logger } from 'pino'
import type { PullRequestNumber } from '../../engine/index.ts'
import type { Oid } from '../git/git.ts'
import type { Mirror } from '../git/mirror.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import type { ForgeApi } from './api.ts'
import { ForgeFailed } from './failed.ts'

type Parts = {
  readonly queue: ManagedQueue
  readonly api: ForgeApi
  readonly mirror: Mirror
  readonly logger: Logger
}

type Merged = {
  readonly number: PullRequestNumber
  /** The head that was submitted: later commits have not merged. */
  readonly head: Oid
  readonly tip: Oid
}

const notAllowed = 405

/**
 * Marks a pull request that is still open as merged. The commit is the one that names it, if the queue knows it as its
 * own: the number in another may be somebody else's. A change that was on the branch already has none, and counts as
 * merged with the tip. False: the host does not allow it.
 */
export async function markMerged(
  { api, mirror, logger, queue }: Parts,
  { number, head, tip }: Merged,
): Promise<boolean> {
  const { merging } = api
  if (merging.by !== 'mark') return true
  const pull = await api.pull(number)
  if (pull?.state !== 'open' || pull.head !== head) return true
  const own = new Set(queue.history.tips.values())
  const commit = (await mirror.landingsOf(number, tip)).find((each) => own.has(each)) ?? tip
  try {
    await merging.mark(number, commit)
    return true
  } catch (error) {
    if (!(error instanceof ForgeFailed) || error.status !== notAllowed) throw error
    const words = `${api.forge} does not allow to mark pull requests as merged: allow it in the settings of the repository`
    logger.warn({ err: error, number }, words)
    return false
  }
}
