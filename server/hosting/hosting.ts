/** What operations ask of the queues that this server works on itself. */

import type { QueueRef } from '../identity/queue-ref.ts'
import type { Card, Millis, PullRequestNumber, TestRunId } from '../../engine/index.ts'

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
  cardOf(
    number: PullRequestNumber,
    dependsOn?: readonly PullRequestNumber[],
  ): Promise<HostAnswer<Card>>
  /** Makes a branch a pull request; the same branch gives the same number. */
  open(branch: string): Promise<HostAnswer<{ readonly number: PullRequestNumber }>>
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
