/**
 * The queues as this room needs them. With a data folder every command is decided at once; on a log that
 * several servers share it takes a turn of the log, and is seen here when it is committed.
 */

import type { Actor, RecordedCommand } from '../../engine/index.ts'
import type { ManagerOutcome } from '../queues/outcome.ts'
import type { Subscriber } from '../queues/publisher.ts'
import type { QueueManager } from '../queues/queue-manager.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'

export type Queues = {
  readonly registry: QueueRegistry
  /** Calls `subscriber` for every later command that is durable. */
  subscribe(subscriber: Subscriber): void
  /** Sends a command whose outcome does not matter: it is a fact, or somebody looks again. */
  send(queue: string, command: RecordedCommand): void
  /** Settles when the command is decided, and what it did is seen here. */
  ask(queue: string, command: RecordedCommand, by?: Actor | null): Promise<ManagerOutcome>
  /** Settles when what was sent to the queue is seen here; undefined if it is. Rejects if it may be lost. */
  settled(queue: string): Promise<void> | undefined
  /** Settles when what is seen here is durable; undefined if it is. */
  durable(): Promise<void> | undefined
}

/** The queues of a data folder, of which this process is the only writer. */
export function queuesOf(
  manager: Pick<QueueManager, 'registry' | 'send' | 'durable' | 'subscribe'>,
): Queues {
  return {
    registry: manager.registry,
    subscribe: (subscriber) => manager.subscribe(subscriber),
    send: (queue, command) => void manager.send(queue, command),
    ask: (queue, command, by) => Promise.resolve(manager.send(queue, command, by)),
    settled: () => undefined,
    durable: () => manager.durable(),
  }
}
