/** The log as one server alone replays it: the state, the wake-ups and the messages. */

import type { LogEntry } from '../../engine/index.ts'
import { appliedOf } from '../../server/queues/publisher.ts'
import { type Message, messagesOf } from '../../server/webhooks/message.ts'
import { messageOf } from '../../server/terminal/text.ts'
import { Register } from '../../server/replica/register.ts'
import type { SimulatedDatabase } from './database.ts'

/** A wake-up in the log, and when the queue had asked for it. */
type Wake = Pick<LogEntry, 'sequence' | 'at'> & { readonly wakeAt: number | null }

/** A message that webhooks must get, and the entry that it is about. */
export type LoggedMessage = Message & { readonly entry: number }

export type Replay = ReturnType<typeof replayOf>

export function replayOf(database: SimulatedDatabase) {
  const register = Register.from(null)
  const wakes: Wake[] = []
  const messages: LoggedMessage[] = []
  const asked = new Map<string, number | null>()
  let fault: string | null = null
  try {
    register.catchUp(database.readTail(0), (entry, outcome) => {
      const { sequence, at, queue: name, command } = entry
      if (name === null) return
      if (command.type === 'wake') wakes.push({ sequence, at, wakeAt: asked.get(name) ?? null })
      const { registry } = register.manager
      asked.set(name, registry.find(name)?.engine.queue.wakeAt ?? null)
      for (const message of messagesOf(appliedOf(entry, outcome), 'judge'))
        messages.push({ ...message, entry: sequence })
    })
  } catch (error) {
    fault = messageOf(error)
  }
  return { register, fault, wakes, messages }
}
