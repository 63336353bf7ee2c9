/** Where people find a queue, or one pull request of it, on the live page. */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { QueueIds } from './ids.ts'

/** `publicUrl` is the address of the server as people reach it. Of no pull request it is the queue's page. */
export function pageAddress(
  publicUrl: string,
  { start }: Pick<QueueIds, 'start'>,
  number: PullRequestNumber | null = null,
): string {
  const queue = `${publicUrl.replace(/\/+$/, '')}/q/${start}`
  return number === null ? queue : `${queue}/${number}`
}
