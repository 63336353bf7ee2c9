/** What operations ask of the queues that this server works on itself. */

import type { QueueRef } from '../identity/queue-ref.ts'
import type {
  PullSnapshot,
  Millis,
  PullRequestNumber,
  TestRunId,
  Actor,
  RecordedCommand,
} from '../../engine/index.ts'
import type { ManagerOutcome, QueueRegistry } from '../queues/queue-registry.ts'
import type { QueueManager } from '../queues/queue-manager.ts'
import type { Subscriber } from '../queues/publisher.ts'

export type HostRefusal = {
  readonly status: 400 | 404 | 409 | 503
  readonly text: string
  /** Seconds after which it may be another answer. */
  readonly retryAfter?: number
  /** True: it is the same answer until somebody pushes. */
  readonly isFinal?: boolean
}

export type HostAnswer<Value> = { readonly value: Value } | { readonly refused: HostRefusal }

export type HostStatus = {
  /** The repository, without credentials. */
  readonly url: string
  readonly lastLookAt: Millis | null
  /** Faults and denials, in words; empty if all is well. */
  readonly faults: readonly string[]
}

/** The end of the output of a run, and the length of all of it in bytes. */
export type RunLog = { readonly log: string; readonly bytes: number }

export type HostedQueue = {
  readonly ref: QueueRef
  /** False if somebody else tests, and reports over the API. */
  readonly testsItself: boolean
  /** The page of a pull request on its host; null: the repository has no pull requests of its own. */
  pageOf(number: PullRequestNumber): string | null
  /** The pull request as it is in the repository now. `dependsOn`: what the request names. */
  snapshotOf(
    number: PullRequestNumber,
    dependsOn?: readonly PullRequestNumber[],
  ): Promise<HostAnswer<PullSnapshot>>
  /** Makes a branch a pull request; the same branch gives the same number. */
  open(branch: string): Promise<HostAnswer<{ readonly number: PullRequestNumber }>>
  /** Why the branch of a pull request cannot enter, as far as this server knows it; null: it is not known to be refused. */
  refusalOf(number: PullRequestNumber): string | null
  /** The commit of a run in progress; null if it is not made yet. */
  commitOf(run: TestRunId): string | null
  /** The log of a run, as far as it is written; null if there is none. */
  logOf(run: TestRunId): Promise<HostAnswer<RunLog | null>>
  /** What was seen in the repository. */
  seen(): Promise<HostAnswer<HostStatus>>
  /** The same as far as this server knows it, which may be nothing. */
  status(): HostStatus
}

export type Hosting = {
  /** Null: the queue has no repository here, clients say what is true. */
  of(queue: string): HostedQueue | null
  readonly all: Iterable<HostedQueue>
}

// The queues as this room needs them. With a data folder every command is decided at once; on a log that
// several servers share it takes a turn of the log, and is seen here when it is committed.

export type Queues = {
  readonly registry: QueueRegistry
  /** Calls `subscriber` for every later command that is durable. */
  subscribe(subscriber: Subscriber): void
  /** Sends a command whose outcome does not matter: it is a fact, or the next poll sees it again. */
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
