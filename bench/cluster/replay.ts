/** The log as one server alone replays it: the state, the wake-ups and the messages. */

import type { LogEntry } from '../../engine/index.ts'
import { queueRefFrom } from '../../server/identity/queue-ref.ts'
import type { WebhookEventType } from '../../server/notices/queue-notices.ts'
import type { AppliedCommand } from '../../server/queues/publisher.ts'
import { Register } from '../../server/replica/register.ts'
import { messagesOf } from '../../server/webhooks/message.ts'
import { type StoredLine, epoch } from './database.ts'
import { messageOf } from '../../server/terminal/text.ts'

/** A wake-up in the log, and when the queue had asked for it. */
type Wake = {
  readonly sequence: number
  readonly at: number
  readonly wakeAt: number | null
}

/** A message that webhooks must get. */
export type LoggedMessage = {
  readonly queue: string
  readonly type: WebhookEventType
  readonly payload: string
  /** The entry that it is about. */
  readonly entry: number
}

export type Replay = {
  readonly register: Register
  readonly fault: string | null
  readonly wakes: readonly Wake[]
  readonly messages: readonly LoggedMessage[]
}

export function replayOf(lines: readonly StoredLine[]): Replay {
  const register = Register.from(null)
  // Also a server that has read an empty log knows whose it is.
  register.manager.registry.beginEpoch(epoch)
  const wakes: Wake[] = []
  const messages: LoggedMessage[] = []
  for (const line of lines) {
    const { at, queue: name, command }: LogEntry = JSON.parse(line.text)
    const { sequence, chain } = line
    const queue = name === null ? undefined : register.manager.registry.find(name)?.engine.queue
    if (command.type === 'wake') wakes.push({ sequence, at, wakeAt: queue?.wakeAt ?? null })
    try {
      const head = { sequence, at, chain, engine: 1, wakeAt: null }
      const tail = { now: at, epoch, head, chainBefore: register.chain, lines: [line] }
      register.catchUp(tail, (entry, outcome) => messages.push(...messagesAbout(entry, outcome)))
    } catch (error) {
      return { register, wakes, messages, fault: messageOf(error) }
    }
  }
  return { register, wakes, messages, fault: null }
}

function messagesAbout(
  { sequence, at, queue: name, command }: LogEntry,
  { events, notices }: Pick<AppliedCommand, 'events' | 'notices'>,
): LoggedMessage[] {
  const queue = name === null ? null : queueRefFrom(name)
  const made = messagesOf({ sequence, at, queue, command, events, notices }, 'judge')
  return made.map(({ type, payload }) => ({ queue: name ?? '', type, payload, entry: sequence }))
}
