/**
 * Runs commands: gives each a timestamp that never decreases, applies it to its queue, and appends
 * accepted commands to the command log.
 *
 * Changes become visible only after they are on disk: every request handler awaits `durable` before
 * it responds, for reads and writes.
 */

import type { Actor, LogEntry, Millis, RecordedCommand } from '../../engine/index.ts'
import type { QueueRegistry, ManagerOutcome } from './queue-registry.ts'
import { appliedOf, Publisher, type Subscriber } from './publisher.ts'
import { proofOf } from './proof.ts'

export type QueueManagerPorts = {
  readonly now: () => Millis
  /** The epoch that the next entry begins; null: it is of the last one. Default: none begins. */
  readonly nextEpoch?: () => string | null
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
    const epochBegun = this.#ports.nextEpoch?.() ?? null
    const begun = epochBegun === null ? {} : { epoch: epochBegun }
    const entry: LogEntry = { sequence, at, queue, command, ...by, ...begun }
    const outcome: ManagerOutcome = this.registry.apply(entry)
    if (!outcome.accepted) return outcome
    this.#ports.log.append({ ...entry, proof: proofOf(outcome.events) })
    this.#publisher.publish(appliedOf(entry, outcome, this.registry.epoch))
    return outcome
  }
}
