/**
 * What became true. Events are facts and instructions at once: `testRunStarted` says that a run
 * counts from now on, and tells the runner to make it. They are the only way state changes.
 */

import type { CompositionKey } from '../model/composition.ts'
import type { Configuration } from '../model/configuration.ts'
import type {
  CancelReason,
  PullRequestState,
  Reason,
  RestartReason,
  RunFailureReason,
} from '../model/pull-request-state.ts'
import type { QueueState } from '../model/queue-state.ts'
import type {
  BisectionId,
  Evidence,
  GroupId,
  Millis,
  PullRequestNumber,
  Retry,
  TestName,
  TestRun,
  TestRunId,
} from '../model/state.ts'
import type { ImpactedTargets } from '../model/targets.ts'

// ---- a pull request -------------------------------------------------------------------------

export type PullRequestSubmitted = {
  readonly type: 'pullRequestSubmitted'
  readonly number: PullRequestNumber
  readonly submission: number
  readonly state: 'NOT_READY' | 'PENDING'
  readonly priority: number
  readonly priorityAsked: boolean
  readonly noBatch: boolean
}

/** A pull request in the queue was submitted again: its wishes are these now. */
export type PullRequestRewritten = {
  readonly type: 'pullRequestRewritten'
  readonly number: PullRequestNumber
  readonly priority: number
  readonly priorityAsked: boolean
  readonly noBatch: boolean
}

/** A row of the transition table was taken. */
export type PullRequestMoved = {
  readonly type: 'pullRequestMoved'
  readonly number: PullRequestNumber
  readonly from: PullRequestState
  readonly to: PullRequestState
  readonly reason: Reason | null
  /** The run that brought it about, where one did. */
  readonly testRun: TestRunId | null
  /** On FAILED only. */
  readonly evidence?: Evidence
}

/** Asked to leave during its own merge; remembered in case the code host refuses. */
export type DepartureDeferred = {
  readonly type: 'departureDeferred'
  readonly number: PullRequestNumber
  readonly reason: CancelReason
}

export type ImpactedTargetsSet = {
  readonly type: 'impactedTargetsSet'
  readonly number: PullRequestNumber
  readonly targets: ImpactedTargets
}

export type PullRequestReported = {
  readonly type: 'pullRequestReported'
  readonly number: PullRequestNumber
  readonly mergeable?: boolean
  readonly greenOnTip?: boolean
  readonly conflictsWith?: readonly PullRequestNumber[]
}

// ---- the line -------------------------------------------------------------------------------

/** A group takes its place in the line; its members leave where they were. */
export type GroupPlaced = {
  readonly type: 'groupPlaced'
  readonly group: GroupId
  readonly members: readonly PullRequestNumber[]
  /** Index in the line. */
  readonly index: number
  readonly cause:
    | 'formed'
    | 'urgent'
    | 'direct merge'
    /** Survivors of a bisection, to be tested once more. */
    | 'survivors'
    /** Members proven by a bisection, to be merged as they are. */
    | 'proven'
  readonly bisection: BisectionId | null
}

/** Its run, verdict or hold counts no more: it wants a new run. */
export type GroupRestarted = {
  readonly type: 'groupRestarted'
  readonly group: GroupId
  readonly reason: RestartReason
  /** The same composition again, later: only after a runner's error. */
  readonly retry: Retry | null
}

/** Some members become a group of their own right behind. */
export type GroupSplit = {
  readonly type: 'groupSplit'
  readonly group: GroupId
  readonly members: readonly PullRequestNumber[]
  readonly into: GroupId
  readonly cause: 'noBatch' | 'conflict' | 'merging'
}

/** It takes its members' impacted targets as they are now, before a run. Parallel mode only. */
export type GroupLinked = { readonly type: 'groupLinked'; readonly group: GroupId }

/** Its merging has begun, so nothing is ahead of it: it makes way at the head for an urgent one. */
export type GroupAdvanced = {
  readonly type: 'groupAdvanced'
  readonly group: GroupId
  readonly index: number
}

/** Nobody is left in it. */
export type GroupLeft = { readonly type: 'groupLeft'; readonly group: GroupId }

export type GroupPassed = {
  readonly type: 'groupPassed'
  readonly group: GroupId
  /** Its own run, or a successor's that contains it. */
  readonly run: TestRun
}

export type GroupFailed = {
  readonly type: 'groupFailed'
  readonly group: GroupId
  readonly testRun: TestRunId
  readonly reason: RunFailureReason
  readonly failedTests: readonly TestName[]
}

/** A text conflict with an unmerged predecessor: it waits for that one's fate. */
export type GroupConflicted = {
  readonly type: 'groupConflicted'
  readonly group: GroupId
  readonly with: PullRequestNumber
}

/** The successor runs that a failed group waits for. */
export type SuccessorsNoted = {
  readonly type: 'successorsNoted'
  readonly group: GroupId
  readonly testRuns: readonly TestRunId[]
}

// ---- test runs ------------------------------------------------------------------------------

export type TestRunStarted = { readonly type: 'testRunStarted'; readonly run: TestRun }

export type TestRunFinished = {
  readonly type: 'testRunFinished'
  readonly testRun: TestRunId
  readonly outcome: 'passed' | 'failed' | 'errored' | 'timed_out'
  readonly failedTests: readonly TestName[]
}

export type TestRunCancelled = {
  readonly type: 'testRunCancelled'
  readonly testRun: TestRunId
  readonly cause: RestartReason | 'SUCCESSOR_TEST_RUN_PASSED' | 'MANUAL_MERGE'
}

/** A verdict of the tests, for the record of flakes. */
export type VerdictRecorded = {
  readonly type: 'verdictRecorded'
  readonly testRun: TestRunId
  readonly composition: CompositionKey
  readonly outcome: 'passed' | 'failed'
  readonly failedTests: readonly string[]
}

/** A failure that was no failure: its composition passed too, or a successor cleared it. */
export type VerdictContradicted = {
  readonly type: 'verdictContradicted'
  readonly testRun: TestRunId
  /** Tests that are now known to flake. */
  readonly flakyTests: readonly string[]
}

/** Tests that failed and passed within one run. */
export type FlakyTestsSeen = {
  readonly type: 'flakyTestsSeen'
  readonly flakyTests: readonly string[]
}

// ---- bisection ------------------------------------------------------------------------------

/** A failed batch leaves the line to be taken apart. */
export type BisectionStarted = {
  readonly type: 'bisectionStarted'
  readonly bisection: BisectionId
  readonly group: GroupId
  readonly members: readonly PullRequestNumber[]
}

export type BisectionVerdictReached = {
  readonly type: 'bisectionVerdictReached'
  readonly bisection: BisectionId
  readonly run: TestRun
  readonly outcome: 'passed' | 'failed'
  readonly reason: RunFailureReason | null
  readonly failedTests: readonly TestName[]
}

/** An errored run of the bisection is to be made again. */
export type BisectionRetryPlanned = {
  readonly type: 'bisectionRetryPlanned'
  readonly bisection: BisectionId
  readonly retry: Retry
}

/** The first `members` of what was open have passed together. */
export type MembersProven = {
  readonly type: 'membersProven'
  readonly bisection: BisectionId
  readonly members: readonly PullRequestNumber[]
  readonly run: TestRun
}

/** A verdict served where a run would have been needed. */
export type TestRunSaved = {
  readonly type: 'testRunSaved'
  readonly bisection: BisectionId
  readonly composition: CompositionKey
  /** The run whose verdict was reused. */
  readonly testRun: TestRunId
}

export type MemberConvicted = {
  readonly type: 'memberConvicted'
  readonly bisection: BisectionId
  readonly number: PullRequestNumber
}

/** A member left by itself: whatever was known with it in is void. */
export type MemberDeparted = {
  readonly type: 'memberDeparted'
  readonly bisection: BisectionId
  readonly number: PullRequestNumber
}

export type BisectionEnded = {
  readonly type: 'bisectionEnded'
  readonly bisection: BisectionId
  /** Every part passed: the batch's failure was a flake. */
  readonly flake: boolean
}

// ---- merging and the target branch ----------------------------------------------------------

/** For the code host: merge this one, and answer. */
export type MergeRequested = {
  readonly type: 'mergeRequested'
  readonly group: GroupId
  readonly number: PullRequestNumber
}

/** The code host would not; a deferred departure or a failure follows. */
export type MergeRefused = {
  readonly type: 'mergeRefused'
  readonly group: GroupId
  readonly number: PullRequestNumber
}

/** The target branch has one more commit. */
export type TipMoved = {
  readonly type: 'tipMoved'
  readonly tip: number
  /** The pull request that is now in it; null for a push from outside. */
  readonly number: PullRequestNumber | null
  readonly composition: CompositionKey
}

// ---- the queue ------------------------------------------------------------------------------

export type QueueConfigured = {
  readonly type: 'queueConfigured'
  readonly set: Partial<Configuration>
}

export type QueueStateChanged = {
  readonly type: 'queueStateChanged'
  readonly from: QueueState
  readonly to: QueueState
  /** On the way into SWITCHING_MODES only. */
  readonly wishedMode: Configuration['mode'] | null
}

/** For the clock: send `wake` at this instant. */
export type WakeScheduled = { readonly type: 'wakeScheduled'; readonly wakeAt: Millis }

/** The wake-up came: what is due next is found anew. */
export type Woken = { readonly type: 'woken' }

export type Event =
  | PullRequestSubmitted
  | PullRequestRewritten
  | PullRequestMoved
  | DepartureDeferred
  | ImpactedTargetsSet
  | PullRequestReported
  | GroupPlaced
  | GroupRestarted
  | GroupSplit
  | GroupLinked
  | GroupAdvanced
  | GroupLeft
  | GroupPassed
  | GroupFailed
  | GroupConflicted
  | SuccessorsNoted
  | TestRunStarted
  | TestRunFinished
  | TestRunCancelled
  | VerdictRecorded
  | VerdictContradicted
  | FlakyTestsSeen
  | BisectionStarted
  | BisectionVerdictReached
  | BisectionRetryPlanned
  | MembersProven
  | TestRunSaved
  | MemberConvicted
  | MemberDeparted
  | BisectionEnded
  | MergeRequested
  | MergeRefused
  | TipMoved
  | QueueConfigured
  | QueueStateChanged
  | WakeScheduled
  | Woken

export type EventType = Event['type']
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>
