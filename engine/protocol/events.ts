/**
 * The events of the engine. Only events change the state. Some events are also instructions to a
 * port: `testRunStarted` records that a run is in progress and instructs the test runner to start
 * it.
 */

import type { CompositionKey } from '../model/ids.ts'
import type { Configuration } from '../model/configuration.ts'
import type {
  CancelReason,
  PullRequestState,
  Reason,
  RestartReason,
  RunFailureReason,
} from '../model/pull-request.ts'
import type { QueueState } from '../model/queue-state.ts'
import type {
  BisectionId,
  Evidence,
  GroupId,
  Millis,
  PullRequestNumber,
  QuarantineEntry,
  Retry,
  TestName,
  TestRun,
  TestRunId,
  TipFailure,
} from '../model/state.ts'
import type { ImpactedTargets } from '../model/targets.ts'

// ---- a pull request -------------------------------------------------------------------------

export type PullRequestSubmitted = {
  readonly type: 'pullRequestSubmitted'
  readonly number: PullRequestNumber
  readonly submission: number
  /** The head commit that was submitted; absent if the submission named none. */
  readonly sha?: string
  readonly state: 'NOT_READY' | 'PENDING'
  readonly priority: number
  readonly priorityAsked: boolean
  readonly noBatch: boolean
  /** Absent for none. */
  readonly dependsOn?: readonly PullRequestNumber[]
}

/** A queued pull request was submitted again; these options replace the old ones. */
export type PullRequestRewritten = {
  readonly type: 'pullRequestRewritten'
  readonly number: PullRequestNumber
  readonly priority: number
  readonly priorityAsked: boolean
  readonly noBatch: boolean
}

/** A pull request changed its state along a row of the transition table. */
export type PullRequestMoved = {
  readonly type: 'pullRequestMoved'
  readonly number: PullRequestNumber
  readonly from: PullRequestState
  readonly to: PullRequestState
  readonly reason: Reason | null
  /** The run that caused the move; null if none did. */
  readonly testRun: TestRunId | null
  /** On FAILED only. */
  readonly evidence?: Evidence
  /** On PENDING only: its new turn, behind what it depends on. Rule: E-262. */
  readonly turn?: number
  /** On CANCELLED only: the one that it depended on and that has left. Rule: E-264. */
  readonly leftWith?: PullRequestNumber
  /** On TESTS_PASSED and MERGED only: the tests in quarantine that failed in the run. Rule: E-272. */
  readonly quarantined?: readonly string[]
}

/** A cancel during the pull request's own merge, stored in case the code host refuses the merge. */
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

/** The engine has dropped everything about a pull request that is not in the queue. */
export type PullRequestForgotten = {
  readonly type: 'pullRequestForgotten'
  readonly number: PullRequestNumber
}

// ---- the line -------------------------------------------------------------------------------

/** A group enters the line. Its members leave their previous location. */
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
    /** Survivors of a bisection, to be tested again. */
    | 'survivors'
    /** Members proven by a bisection, to be merged without another run. */
    | 'proven'
  readonly bisection: BisectionId | null
}

/** The run, verdict or hold of a group no longer counts; the group waits for a new run. */
export type GroupRestarted = {
  readonly type: 'groupRestarted'
  readonly group: GroupId
  readonly reason: RestartReason
  /** When to repeat the same composition; only after the test runner lost the run. */
  readonly retry: Retry | null
}

/** Some members of a group become a separate group behind it. */
export type GroupSplit = {
  readonly type: 'groupSplit'
  readonly group: GroupId
  readonly members: readonly PullRequestNumber[]
  readonly into: GroupId
  /** Index of the separate group in the line. */
  readonly index: number
  readonly cause: 'noBatch' | 'conflict' | 'merging'
}

/**
 * A group moves to another position in the line: ahead, because its merging has begun or an urgent
 * group depends on it, to the end, because it restarts after the groups behind have left it out, or
 * behind groups with which it shares a target since an upload.
 */
export type GroupMoved = {
  readonly type: 'groupMoved'
  readonly group: GroupId
  readonly index: number
}

/** A group without members leaves the line. */
export type GroupLeft = { readonly type: 'groupLeft'; readonly group: GroupId }

export type GroupPassed = {
  readonly type: 'groupPassed'
  readonly group: GroupId
  /** Its own run, or the run of a successor that contains it. */
  readonly run: TestRun
}

export type GroupFailed = {
  readonly type: 'groupFailed'
  readonly group: GroupId
  readonly testRun: TestRunId
  readonly reason: RunFailureReason
  readonly failedTests: readonly TestName[]
  /** The groups behind leave it out from now on; absent if they include it. */
  readonly aside?: true
}

/** A screening run has passed, or a bisection that proved it: the group waits for a run on top of its predecessors. */
export type GroupScreened = { readonly type: 'groupScreened'; readonly group: GroupId }

/** A group waits for a pull request with which it conflicts as text, or on which it depends. */
export type GroupConflicted = {
  readonly type: 'groupConflicted'
  readonly group: GroupId
  readonly with: PullRequestNumber
  readonly asText: boolean
}

/**
 * The failure of a group is its own and is held until enough successors have given a verdict. From
 * `heldUntil` on, a successor without a run is not awaited.
 */
export type HoldStarted = {
  readonly type: 'holdStarted'
  readonly group: GroupId
  readonly heldUntil: Millis
}

// ---- test runs ------------------------------------------------------------------------------

export type TestRunStarted = { readonly type: 'testRunStarted'; readonly run: TestRun }

export type TestRunFinished = {
  readonly type: 'testRunFinished'
  readonly testRun: TestRunId
  readonly outcome: 'passed' | 'failed' | 'errored' | 'timed_out'
  readonly failedTests: readonly TestName[]
  /** It counts as passed because only tests in quarantine failed; absent for every other run. */
  readonly quarantined?: true
}

export type TestRunCancelled = {
  readonly type: 'testRunCancelled'
  readonly testRun: TestRunId
  readonly cause: RestartReason | 'SUCCESSOR_TEST_RUN_PASSED' | 'MANUAL_MERGE'
}

/** A verdict of the tests, kept to recognise flakes. */
export type VerdictRecorded = {
  readonly type: 'verdictRecorded'
  readonly testRun: TestRunId
  readonly composition: CompositionKey
  readonly outcome: 'passed' | 'failed'
  readonly failedTests: readonly string[]
  /** It passed although these tests failed, because all are in quarantine; absent for every other run. */
  readonly quarantined?: true
}

/** A failure turned out to be a flake: its composition passed too, or a successor cleared it. */
export type VerdictContradicted = {
  readonly type: 'verdictContradicted'
  readonly testRun: TestRunId
  /** Tests that are known to flake from now on. */
  readonly flakyTests: readonly string[]
}

/** Tests that failed and passed within one run or on one composition. */
export type FlakyTestsSeen = {
  readonly type: 'flakyTestsSeen'
  readonly flakyTests: readonly string[]
}

/** The branch was tested by itself: a run without a pull request has ended. */
export type TipTested = {
  readonly type: 'tipTested'
  readonly testRun: TestRunId
  readonly tip: number
  /** Null: it passed. */
  readonly failure: Pick<TipFailure, 'reason' | 'failedTests' | 'notBefore'> | null
  /** It passed although these tests failed: they are in quarantine. */
  readonly leansOn?: readonly string[]
}

/** A run of the branch by itself is to be repeated, because the test runner lost it. */
export type TipRetryPlanned = { readonly type: 'tipRetryPlanned'; readonly retry: Retry }

// ---- bisection ------------------------------------------------------------------------------

/** A failed group leaves the line and is bisected: all of it, or each member by itself. */
export type BisectionStarted = {
  readonly type: 'bisectionStarted'
  readonly bisection: BisectionId
  readonly group: GroupId
  readonly members: readonly PullRequestNumber[]
  /** The failed run was not made on the pinned tip, so it is no verdict of the bisection. */
  readonly overtaken?: true
  /**
   * How many others the failed run tested, if it is no verdict of the bisection and speaks against its
   * only member all the same; absent if it does not. Rules: E-306, E-307.
   */
  readonly others?: number
}

/**
 * A run decided about its composition. It is the run of the batch again if its second look was lost, so
 * that its failure stands.
 */
export type BisectionVerdictReached = {
  readonly type: 'bisectionVerdictReached'
  readonly bisection: BisectionId
  readonly run: TestRun
  readonly outcome: 'passed' | 'failed'
  readonly reason: RunFailureReason | null
  readonly failedTests: readonly TestName[]
}

/** A run of the bisection is to be repeated, because it was lost or because of a request. */
export type BisectionRetryPlanned = {
  readonly type: 'bisectionRetryPlanned'
  readonly bisection: BisectionId
  readonly retry: Retry
}

/**
 * A restart of the tests of an open member was requested. Its runs in progress are repeated; if
 * there is none, its next run is still to come.
 */
export type RestartRequested = {
  readonly type: 'restartRequested'
  readonly bisection: BisectionId
  readonly number: PullRequestNumber
  /** The state of the pull request, which does not change. */
  readonly state: PullRequestState
}

/** The first `members` of the open members have passed together. */
export type MembersProven = {
  readonly type: 'membersProven'
  readonly bisection: BisectionId
  readonly members: readonly PullRequestNumber[]
  readonly run: TestRun
}

/** A known verdict replaced a run. */
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

/** A member departed. Verdicts that contain it are void. */
export type MemberDeparted = {
  readonly type: 'memberDeparted'
  readonly bisection: BisectionId
  readonly number: PullRequestNumber
}

export type BisectionEnded = {
  readonly type: 'bisectionEnded'
  readonly bisection: BisectionId
  /** No member was convicted and none departed: the failure of the batch was a flake. */
  readonly flake: boolean
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
  /** The next mode if `to` is SWITCHING_MODES, else null. */
  readonly wishedMode: Configuration['mode'] | null
}

/** A test is in quarantine, or its entry is another one now. */
export type TestQuarantined = {
  readonly type: 'testQuarantined'
  readonly test: string
  readonly entry: QuarantineEntry
}

export type TestReleased = { readonly type: 'testReleased'; readonly test: string }

/** Instructs the clock to send `wake` at this instant. */
export type WakeScheduled = { readonly type: 'wakeScheduled'; readonly wakeAt: Millis }

/** The scheduled wake-up has arrived; the next deadline is computed again. */
export type Woken = { readonly type: 'woken' }

/** Every run under way may take until then, or longer if it might before. */
export type RunTimesRenewed = { readonly type: 'runTimesRenewed'; readonly deadline: Millis }

export type Event =
  | PullRequestSubmitted
  | PullRequestRewritten
  | PullRequestMoved
  | DepartureDeferred
  | ImpactedTargetsSet
  | PullRequestReported
  | PullRequestForgotten
  | GroupPlaced
  | GroupRestarted
  | GroupSplit
  | GroupMoved
  | GroupLeft
  | GroupPassed
  | GroupFailed
  | GroupScreened
  | GroupConflicted
  | HoldStarted
  | TestRunStarted
  | TestRunFinished
  | TestRunCancelled
  | VerdictRecorded
  | VerdictContradicted
  | FlakyTestsSeen
  | TipTested
  | TipRetryPlanned
  | BisectionStarted
  | BisectionVerdictReached
  | BisectionRetryPlanned
  | RestartRequested
  | MembersProven
  | TestRunSaved
  | MemberConvicted
  | MemberDeparted
  | BisectionEnded
  | MergeRequested
  | MergeRefused
  | TipMoved
  | QueueConfigured
  | HostAttached
  | QueueStateChanged
  | TestQuarantined
  | TestReleased
  | WakeScheduled
  | Woken
  | RunTimesRenewed

export type EventType = Event['type']
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>

// The events of merging, of the target branch and of the code host.

/** The queue has a code host now, which is asked for each merge from here on. */
export type HostAttached = {
  readonly type: 'hostAttached'
  readonly codeHost: 'answers' | 'groups'
}

/** Instructs the code host to merge the pull request and to answer with `finishMerge`. */
export type MergeRequested = {
  readonly type: 'mergeRequested'
  readonly group: GroupId
  /** The first to merge. */
  readonly number: PullRequestNumber
  /** All members of the group, to land in one push; absent if only `number` is to merge. */
  readonly numbers?: readonly PullRequestNumber[]
}

/**
 * The code host refused a merge, because of this pull request or without one at fault; none of the
 * group is being merged any more. A stored cancel, a failure or a restart follows.
 */
export type MergeRefused = {
  readonly type: 'mergeRefused'
  readonly group: GroupId
  readonly number: PullRequestNumber
}

/** The target branch has one more commit. */
export type TipMoved = {
  readonly type: 'tipMoved'
  readonly tip: number
  /** The merged pull request; null for a push from outside. */
  readonly number: PullRequestNumber | null
  readonly composition: CompositionKey
}
