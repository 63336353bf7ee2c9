/**
 * Makes webhook messages from applied commands. This is a fold of the command log, so messages that
 * a crash lost are made again with the same ids and the same bytes.
 */

import { createdQueue } from '../../engine/index.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { noteRuns, queueIds } from '../identity/ids.ts'
import { nameOfQueue } from '../identity/queue-ref.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import type { Notice } from '../notices/notice-content.ts'
import { QueueNotices } from '../notices/queue-notices.ts'
import { messageOf, type Message } from './message.ts'

export class Messages {
  readonly #origin: string
  readonly #queues = new Map<string, QueueNotices>()

  /** Starts at the state of `registry`. `origin` makes message ids unique among servers. */
  constructor(registry: QueueRegistry, origin: string) {
    this.#origin = origin
    for (const { name, state, engine, history } of registry.queues) {
      // A copy, because the registry is ahead of what is published.
      const ids = queueIds(state.incarnation, [...state.epochs])
      this.#queues.set(name, new QueueNotices(ids, engine.queue, history.notices))
    }
  }

  /** Follows the next command without making its messages, which nobody gets. */
  follow(applied: AppliedCommand): void {
    if (applied.queue !== null) this.#noticesOf(applied, nameOfQueue(applied.queue))
  }

  /** Returns the messages about the next command. Call this or `follow` for every command. */
  of(applied: AppliedCommand): Message[] {
    const { sequence, at, epoch = null, queue, by } = applied
    if (queue === null) return []
    const place = epoch === null ? `${sequence}` : `${epoch}_${sequence}`
    return this.#noticesOf(applied, nameOfQueue(queue)).map((notice, index) =>
      messageOf(notice, { id: `msg_${this.#origin}_${place}_${index}`, at, queue, by }),
    )
  }

  #noticesOf({ at, epoch = null, command, events }: AppliedCommand, name: string): Notice[] {
    if (command.type === 'createQueue') {
      const ids = queueIds(command.incarnation, [])
      const made = new QueueNotices(ids, createdQueue(command, at), 0)
      this.#queues.set(name, made)
      return [made.created()]
    }
    const notices = this.#queues.get(name)
    if (!notices) return []
    noteRuns(notices.ids.epochs, events, epoch)
    if (command.type !== 'deleteQueue') return notices.of(events)
    this.#queues.delete(name)
    return [notices.deleted()]
  }
}
