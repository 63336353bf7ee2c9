/**
 * Runs commands: gives each a timestamp that never decreases, applies it to its queue, and appends
 * accepted commands to the command log.
 *
 * Changes become visible only after they are on disk: every request handler awaits `durable` before
 * it responds, for reads and writes.
 */

import type { Actor, LogEntry, Millis, RecordedCommand, Event } from '../../engine/index.ts'
import { queueRefFrom, type QueueRef } from '../identity/queue-ref.ts'
import type { QueueRegistry, ManagerOutcome } from './queue-registry.ts'
import { messageOf } from '../terminal/text.ts'
import { crc32 } from 'node:zlib'
import type { Notice } from '../notices/queue-notices.ts'

export type QueueManagerPorts = {
  readonly now: () => Millis
  readonly log: {
    append(entry: LogEntry): void
    /** Settles once all appended entries are on disk; undefined if they already are. */
    durable(): Promise<void> | undefined
  }
}

/** A server that works wakes a queue sooner, also after a long request. */
const lateMs = 60_000

export class QueueManager {
  readonly registry: QueueRegistry
  readonly #ports: QueueManagerPorts
  readonly #publisher: Publisher

  /** Takes ownership of `registry`: the caller must not change it any more. Resumes its engines. */
  constructor(registry: QueueRegistry, ports: QueueManagerPorts) {
    this.registry = registry
    this.#ports = ports
    this.#publisher = new Publisher(() => ports.log.durable())
    for (const { engine } of registry.queues) engine.resume()
  }

  /** Calls `subscriber` for every later command, once it is durable. */
  subscribe(subscriber: Subscriber): void {
    this.#publisher.subscribe(subscriber)
  }

  /** The instant that a command would have now. */
  get now(): Millis {
    return Math.max(this.#ports.now(), this.registry.at)
  }

  /** Settles once the current state is on disk; undefined if it already is. */
  durable(): Promise<void> | undefined {
    return this.#ports.log.durable()
  }

  /**
   * Applies one command to a queue, or to the server if `queue` is null. A rejected command changes
   * nothing and is not logged; an accepted one is durable once `durable` has settled.
   */
  send(queue: string | null, command: RecordedCommand, actor: Actor | null = null): ManagerOutcome {
    if (queue !== null && this.#isLateFor(queue)) this.#send(queue, { type: 'wake', isLate: true })
    return this.#send(queue, command, actor)
  }

  /** True if the queue should have been woken long ago: nobody was there to do it. */
  #isLateFor(queue: string): boolean {
    const wakeAt = this.registry.find(queue)?.engine.queue.wakeAt ?? null
    return wakeAt !== null && this.now - wakeAt > lateMs
  }

  #send(queue: string | null, command: RecordedCommand, actor: Actor | null = null) {
    const sequence = this.registry.sequence + 1
    const at = this.now
    const by = actor === null ? {} : { by: actor }
    const entry: LogEntry = { sequence, at, queue, command, ...by }
    const outcome: ManagerOutcome = this.registry.apply(entry)
    if (!outcome.accepted) return outcome
    this.#ports.log.append({ ...entry, proof: proofOf(outcome.events) })
    const ref = queue === null ? null : queueRefFrom(queue)
    const { epoch } = this.registry
    this.#publisher.publish({
      sequence,
      at,
      epoch,
      queue: ref,
      command,
      events: outcome.events,
      notices: outcome.notices,
      ...by,
    })
    return outcome
  }
}

// The way to the queues: "run this when you are up to date, and settle when it is durable". The data folder
// is always up to date; a server that shares its log with others first reads what they have appended.

export type Kind = 'read' | 'write'

/** Rejects with `StoreUnavailable` if it is not known whether the work was done. */
export type Enter = <T>(kind: Kind, work: (manager: QueueManager) => T | Promise<T>) => Promise<T>

/** Nothing is known of what was asked: ask again. It becomes a response 503. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'

  constructor(cause: unknown) {
    const why = messageOf(cause)
    super(`the store cannot be reached: ${why}`, { cause })
  }
}

/** The entrance of a data folder, of which this process is the only writer. */
export function entranceOf(manager: QueueManager): Enter {
  return async (_kind, work) => {
    const worked = work(manager)
    // Most work is not a promise, and needs no turn of its own.
    const result = worked instanceof Promise ? await worked : worked
    // Nobody, also no reader, may see what is not on disk yet.
    const durable = manager.durable()
    if (durable) await durable
    return result
  }
}

// The proof of a log entry: a checksum of what its command decided, as far as the outside was told:
// runs that start or are cancelled, and moves of pull requests. A replay that decides otherwise,
// because the rules of the engine have changed, is noticed at that entry.

export function proofOf(events: readonly Event[]): string {
  let crc = 0
  for (const event of events) {
    const text = decisionIn(event)
    if (text !== null) crc = crc32(text, crc)
  }
  return crc.toString(16).padStart(8, '0')
}

/** True if the entry has no proof, as in version 1, or these events have the proof it recorded. */
export function isProven({ proof }: LogEntry, events: readonly Event[]): boolean {
  return proof === undefined || proof === proofOf(events)
}

function decisionIn(event: Event): string | null {
  if (event.type === 'pullRequestMoved') return `move ${event.number} ${event.to};`
  if (event.type === 'testRunCancelled') return `cancel ${event.testRun};`
  if (event.type !== 'testRunStarted') return null
  const { id, base, tested } = event.run
  return `run ${id} ${base.join(' ')} > ${tested.join(' ')};`
}

// Publishes every accepted command of every queue with its events, in order, once it is durable. A
// power loss must not undo an event that a subscriber has received.

export type AppliedCommand = {
  /** The position in the command log: from 1, without gaps. */
  readonly sequence: number
  readonly at: Millis
  /** The epoch of the server that ran the command; null before there were epochs. */
  readonly epoch?: string | null
  /** Null for a command that belongs to no queue. */
  readonly queue: QueueRef | null
  readonly command: RecordedCommand
  readonly events: readonly Event[]
  /** What webhooks tell about it. */
  readonly notices: readonly Notice[]
  /** Who sent the command; absent if time caused it, or nobody knows. */
  readonly by?: Actor
}

/** Must not throw, and must not send commands while it is called. */
export type Subscriber = (applied: AppliedCommand) => void

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
    for (const applied of this.#pending.splice(0, count)) {
      for (const notify of this.#subscribers) notify(applied)
    }
    if (this.#pending.length > 0) this.#publishWhenDurable()
  }
}
