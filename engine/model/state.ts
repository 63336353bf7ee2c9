/**
 * The complete state of one queue as plain JSON, so that `JSON.stringify` writes a snapshot and
 * `JSON.parse` reads it. Only `evolve` changes the state; all other code gets a `QueueView`.
 */

import type { Bisection } from './bisection.ts'
import type { CompositionKey } from './composition.ts'
import type { Configuration } from './configuration.ts'
import type { Group, Phases, GroupsByTarget } from './group.ts'
import type { BisectionId, GroupId, Millis, PullRequestNumber, TestRunId } from './ids.ts'
import type { PendingOrder } from './pending-order-state.ts'
import type { HostFacts, PullRequest } from './pull-request.ts'
import type { Quarantine } from './quarantine-list.ts'
import type { QueueState } from './queue-state.ts'
import type { ImpactedTargets } from './targets.ts'
import type { RecordedVerdict, Retry, TestRun, TipTest } from './test-run.ts'

export type * from './bisection.ts'
export type * from './entries.ts'
export type * from './group.ts'
export type * from './ids.ts'
export type * from './pending-order-state.ts'
export type * from './pull-request.ts'
export type * from './quarantine-list.ts'
export type * from './test-run.ts'

/** The state of a queue. Field names are recorded in snapshots, so they stay. */
export type Queue = {
  configuration: Configuration
  state: QueueState
  /** While SWITCHING_MODES: the next mode; else null. */
  wishedMode: Configuration['mode'] | null
  /**
   * `answers`: each merge is requested and waits for an answer; `groups`: all members of a group are
   * requested as one. Else merges succeed at once.
   */
  codeHost: 'merges at once' | 'answers' | 'groups'
  /** The instant of the last accepted command. */
  now: Millis
  /** The earliest wake-up that was requested and has not arrived; null for none. */
  wakeAt: Millis | null
  /**
   * No test run times out, no retry is due and no hold lasts too long before this instant; null for
   * never.
   */
  nextDeadline: Millis | null
  /** The target branch as merged so far: the number of its commits, and their composition. */
  tip: { number: number; composition: CompositionKey }
  /**
   * The commits since the oldest run that counts, because a run may get a target by an upload that a
   * commit beside it has. Parallel mode only.
   */
  landed: LandedCommit[]
  /** The last number assigned of each kind. */
  last: { submission: number; group: GroupId; bisection: BisectionId; testRun: TestRunId }
  pullRequests: Record<PullRequestNumber, PullRequest>
  impactedTargets: Record<PullRequestNumber, ImpactedTargets>
  /** By each pull request: those in the queue that depend on it. Absent before the first. */
  dependents?: Record<PullRequestNumber, PullRequestNumber[]>
  /** The pull requests that the code host reported green on the current tip. */
  greenOnTip: PullRequestNumber[]
  hostFacts: Record<PullRequestNumber, HostFacts>
  /** The pull requests that wait for a first start, PENDING or NOT_READY. */
  order: PendingOrder
  /** The groups that have started and not left, in order. */
  line: GroupId[]
  groups: Record<GroupId, Group>
  phases: Phases
  /** The groups of the line by impacted target. Parallel mode only. */
  touching: GroupsByTarget
  bisections: Bisection[]
  testRuns: Record<TestRunId, TestRun>
  /** Slots in use: the number of test runs in progress. */
  slots: { main: number; bisection: number }
  /** Number of pull requests that their tests have judged, and how many of them failed. */
  judged: { count: number; failed: number }
  verdicts: RecordedVerdict[]
  /** The mark of the composition of each verdict. A snapshot does not contain them. */
  verdictMarks: number[]
  /** Known flaky tests: they failed and passed on one composition. */
  flakyTests: Record<string, true>
  /** The tests whose failure alone fails no run; absent before the first. */
  quarantine?: Quarantine
  /** The last test of the branch by itself; absent before the first. */
  tipTest?: TipTest
  /** The test runner has lost a run of the branch by itself; absent if it is not to be repeated. */
  tipRetry?: Retry
  /** The number of the last commit that no run of the queue has passed; absent before the first. */
  pushedAt?: number
}

/** A commit of the target branch: its number, the submission in it (0 for a push), its targets. */
export type LandedCommit = {
  readonly tip: number
  readonly content: number
  readonly targets: ImpactedTargets
}

type Frozen<T> = T extends string | number | boolean | null | undefined
  ? T
  : { readonly [Key in keyof T]: Frozen<T[Key]> }

/** The state of a queue, read-only. */
export type QueueView = Frozen<Queue>
export type GroupView = Frozen<Group>
export type BisectionView = Frozen<Bisection>
export type PullRequestView = Frozen<PullRequest>
