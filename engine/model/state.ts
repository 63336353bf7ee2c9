/**
 * The complete state of one queue as plain JSON, so that `JSON.stringify` writes a snapshot and
 * `JSON.parse` reads it. Only `evolve` changes the state; all other code gets a `QueueView`.
 */

import type {
  CompositionKey,
  BisectionId,
  GroupId,
  Millis,
  PullRequestNumber,
  TestName,
  TestRunId,
} from './ids.ts'
import type { Configuration } from './configuration.ts'
import type { Entries } from './entries.ts'
import type {
  Group,
  GroupsByTarget,
  Phases,
  RecordedVerdict,
  Retry,
  TestRun,
  TipTest,
} from './group.ts'
import type { RunFailureReason, HostFacts, PullRequest } from './pull-request.ts'
import type { QueueState } from './queue-state.ts'
import type { ImpactedTargets } from './targets.ts'

export type * from './entries.ts'
export type * from './group.ts'
export type * from './ids.ts'
export type * from './pull-request.ts'

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

/** The pending order as it is stored in the state. Only pending-order.ts changes it. */
export type Level = Entries & { priority: number }

export type PendingOrder = {
  /** PENDING: one level per priority value in use, lowest value first. Keys are submissions. */
  levels: Level[]
  /** PENDING, in the order in which they became PENDING. Keys are the instants. */
  arrivals: Entries
  /** NOT_READY, in the order in which they became NOT_READY. Keys are submissions. */
  notReady: Entries
  /** PENDING, by impacted target. Parallel mode only. */
  sharing: TargetIndex
  /** Number of PENDING pull requests, and how many of them are tested alone. */
  pending: number
  alone: number
  /** Number of NOT_READY pull requests. */
  unready: number
}

/** Pull requests by target. Keys are positions in the order (`orderKey`). */
export type TargetIndex = {
  byTarget: Record<string, Entries>
  /** The pull requests that impact every target. */
  all: Entries
}

/** The result of one composition, as a bisection knows it. */
export type BisectionVerdict = {
  readonly outcome: 'passed' | 'failed'
  readonly run: TestRun
  /** The run is that of the whole batch, from before the bisection. */
  readonly ofBatch: boolean
  /** A second run of this composition has finished: there will be no third. */
  readonly confirmed: boolean
  readonly reason: RunFailureReason | null
  readonly failedTests: readonly TestName[]
  /** In how many runs of this composition tests have failed. */
  readonly failures: number
}

/** The search for the culprits of a failed batch, on the pinned tip on which the batch failed. */
export type Bisection = {
  id: BisectionId
  /** The submission of each member when the bisection began; it identifies the content. */
  submissions: Record<PullRequestNumber, number>
  /** The impacted targets of the batch, and all uploaded since for its members. Parallel mode only. */
  targets: ImpactedTargets
  /** Number of members at the beginning. */
  size: number
  /** How many others were in a failed run that is no verdict here and speaks against its only member. */
  others?: number
  /** The number of commits of the target branch when it began. */
  began: number
  /** The pinned tip. It moves only when a member of this bisection merges. */
  tip: number
  composition: CompositionKey
  /** Another change that shares a target has reached the branch since then. */
  isTipMoved: boolean
  /** Proven members that are in the line and not merged yet: still below every further run. */
  handedOver: PullRequestNumber[]
  /** Proven members that have not been handed over to the line. */
  proven: PullRequestNumber[]
  /** The latest run that proved a member; it contains all members in `proven`. */
  provenIn: TestRun | null
  /** Undecided members, in order. */
  open: PullRequestNumber[]
  /** The compositions of each prefix of `open` on top of the proven members, shortest first. */
  prefixes: CompositionKey[]
  verdicts: Record<CompositionKey, BisectionVerdict>
  /** Its runs in progress. */
  underWay: TestRunId[]
  /** Runs to be repeated, because the runner lost them or because of a request. */
  retries: Retry[]
  /** Number of runs so far, including the run of the batch. */
  runsSpent: number
  convicted: number
  /** Number of members that departed. */
  departed: number
}

// The list of tests in quarantine, as a queue keeps it. Rules: E-270, E-272.

/** Why a test is in quarantine, and until when. */
export type QuarantineEntry = {
  /** Who put it there; absent if nobody said. */
  readonly who?: string
  readonly why?: string
  /** When it was put there first. */
  readonly since: Millis
  /** From this instant on it has no effect; absent for one without an end. */
  readonly until?: Millis
}

export type Quarantine = {
  /** The entries by test. One that has ended stays until somebody removes or renews it. */
  tests: Record<string, QuarantineEntry>
  /** How many pull requests merged by a run in which one of these tests failed, by test. */
  mergesBy: Record<string, number>
  /** How many pull requests merged by a run in which only tests in quarantine failed. */
  merges: number
}
