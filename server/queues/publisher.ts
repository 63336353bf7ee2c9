/**
 * Publishes every accepted command of every queue with its events, in order, once it is durable. A
 * power loss must not undo an event that a subscriber has received.
 */

import type { Actor, Event, LogEntry, Millis, RecordedCommand } from '../../engine/index.ts'
import { queueRefFrom, type QueueRef } from '../identity/queue-ref.ts'
import type { Notice } from '../notices/queue-notices.ts'

export type AppliedCommand = {
  /** The position in the command log: from 1, without gaps. */
  readonly sequence: number
  readonly at: Millis
  /** The epoch of the server that ran the command; null before there were epochs. */
  readonly epoch: string | null
  /** Null for a command that belongs to no queue. */
  readonly queue: QueueRef | null
  readonly command: RecordedCommand
  readonly events: readonly Event[]
  /** What webhooks tell about it. */
  readonly notices: readonly Notice[]
  /** Who sent the command; absent if time caused it, or nobody knows. */
  readonly by?: Actor
}

/** An entry of the log with what came of it. */
export function appliedOf(
  { sequence, at, queue: name, command, by }: LogEntry,
  { events, notices }: Pick<AppliedCommand, 'events' | 'notices'>,
  epoch: string | null = null,
): AppliedCommand {
  const queue = name === null ? null : queueRefFrom(name)
  return { sequence, at, epoch, queue, command, events, notices, ...(by && { by }) }
}

/** Must not throw, and must not send commands while it is called. */
export type Subscriber = (applied: AppliedCommand) => void

/**
 * Calls every subscriber, also after one that throws. The error ends the process when all have been called, like any
 * uncaught error; the next start publishes the rest.
 */
export function tellAll(subscribers: Iterable<Subscriber>, applied: AppliedCommand): void {
  for (const notify of subscribers) {
    try {
      notify(applied)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

/** Settles once all entries appended so far are on disk; undefined if they already are. */
export type Durable = () => Promise<void> | undefined

export class Publisher {
  readonly #durable: Durable
  readonly #subscribers: Subscriber[] = []
  readonly #pending: AppliedCommand[] = []

  constructor(durable: Durable) {
    this.#durable = durable
  }

  subscribe(subscriber: Subscriber): void {
    this.#subscribers.push(subscriber)
  }

  publish(applied: AppliedCommand): void {
    if (this.#subscribers.length === 0) return
    this.#pending.push(applied)
    if (this.#pending.length === 1) this.#publishWhenDurable()
  }

  #publishWhenDurable(): void {
    const upTo = this.#pending.length
    const durable = this.#durable()
    if (durable) {
      // Entries that cannot be written are never published; the server stops.
      durable.then(() => this.#publishNext(upTo)).catch(() => undefined)
    } else this.#publishNext(upTo)
  }

  #publishNext(count: number): void {
    for (const applied of this.#pending.splice(0, count)) tellAll(this.#subscribers, applied)
    if (this.#pending.length > 0) this.#publishWhenDurable()
  }
}
