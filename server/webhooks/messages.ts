/**
 * Makes webhook messages from applied commands. The notices in them are a fold of the command log, so
 * messages that a crash lost are made again with the same ids and the same bytes.
 */

import type { AppliedCommand } from '../queues/publisher.ts'
import { messageOf, type Message } from './message.ts'

/** Returns the messages about a command. `origin` makes message ids unique among servers. */
export function messagesOf(applied: AppliedCommand, origin: string): Message[] {
  const { sequence, at, epoch = null, queue, notices, by } = applied
  if (queue === null) return []
  const place = epoch === null ? `${sequence}` : `${epoch}_${sequence}`
  return notices.map((notice, index) =>
    messageOf(notice, { id: `msg_${origin}_${place}_${index}`, at, queue, by }),
  )
}
