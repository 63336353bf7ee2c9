/**
 * Makes webhook messages from applied commands. The notices in them are a fold of the command log, so
 * messages that a crash lost are made again with the same ids and the same bytes.
 */

import type { PullRequestNumber } from '../../engine/index.ts'
import type { QueueRef } from '../identity/queue-ref.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { messageOf, type Message } from './message.ts'

/** The page about a pull request, or about the queue; null if people cannot reach one. */
export type PageOf = (queue: QueueRef, number: PullRequestNumber | null) => string | null

/** Returns the messages about a command. `origin` makes message ids unique among servers. */
export function messagesOf(
  applied: AppliedCommand,
  origin: string,
  pageOf: PageOf = () => null,
): Message[] {
  const { sequence, at, epoch = null, queue, notices, by } = applied
  if (queue === null) return []
  const place = epoch === null ? `${sequence}` : `${epoch}_${sequence}`
  return notices.map((notice, index) => {
    const { numbers } = notice
    const pageUrl = pageOf(queue, numbers.length === 1 ? (numbers[0] ?? null) : null)
    return messageOf(notice, { id: `msg_${origin}_${place}_${index}`, at, queue, by, pageUrl })
  })
}
