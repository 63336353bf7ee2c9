/**
 * What can be told to the engine. Each command carries the instant at which it happened; the
 * engine has no other notion of time.
 */

import type { Configuration } from '../model/configuration.ts'
import type { CancelReason, RefusalReason } from '../model/pull-request-state.ts'
import type { WritableQueueState } from '../model/queue-state.ts'
import type { Millis, PullRequestNumber, TestName, TestRunId } from '../model/state.ts'
import type { ImpactedTargets } from '../model/targets.ts'

/** A pull request is submitted; or, when it is in the queue already, its wishes are rewritten. */
export type SubmitPullRequest = {
  readonly type: 'submitPullRequest'
  readonly number: PullRequestNumber
  /** 0 (urgent) to 255. Left out: as it was, or the default for a new submission. */
  readonly priority?: number
  readonly noBatch?: boolean
}

/** A pull request is taken out: a person asked, or the code host saw something that ends it. */
export type CancelPullRequest = {
  readonly type: 'cancelPullRequest'
  readonly number: PullRequestNumber
  readonly reason: CancelReason
}

export type RestartTests = { readonly type: 'restartTests'; readonly number: PullRequestNumber }

/** May come before the submission; the last upload replaces the one before. */
export type SetImpactedTargets = {
  readonly type: 'setImpactedTargets'
  readonly number: PullRequestNumber
  readonly targets: ImpactedTargets
}

/** What the code host knows about a pull request; what is left out is as before. */
export type ReportPullRequest = {
  readonly type: 'reportPullRequest'
  readonly number: PullRequestNumber
  readonly mergeable?: boolean
  /** It is based on the tip as it is now, and its own tests are green. */
  readonly greenOnTip?: boolean
  /** Pull requests it does not merge with as text. */
  readonly conflictsWith?: readonly PullRequestNumber[]
}

/** A person merged it on the code host. */
export type ReportManualMerge = {
  readonly type: 'reportManualMerge'
  readonly number: PullRequestNumber
}

/** Somebody pushed to the target branch, past the queue. */
export type ReportPush = { readonly type: 'reportPush' }

export type FinishTestRun = {
  readonly type: 'finishTestRun'
  readonly testRun: TestRunId
  /** errored: the runner lost the run; that is no verdict of the tests. */
  readonly outcome: 'passed' | 'failed' | 'errored'
  readonly failedTests?: readonly TestName[]
  /** Failed first and passed on a retry within the run. */
  readonly flakyTests?: readonly TestName[]
}

/** The code host's answer to a merge that the engine asked for. */
export type FinishMerge = {
  readonly type: 'finishMerge'
  readonly number: PullRequestNumber
  readonly refused: RefusalReason | null
}

/** Only the fields that are given change. */
export type UpdateQueue = {
  readonly type: 'updateQueue'
  readonly set: Partial<Configuration> & { readonly state?: WritableQueueState }
}

/** The instant that the engine asked to be woken at, or any other: it looks for what is due. */
export type Wake = { readonly type: 'wake' }

export type CommandBody =
  | SubmitPullRequest
  | CancelPullRequest
  | RestartTests
  | SetImpactedTargets
  | ReportPullRequest
  | ReportManualMerge
  | ReportPush
  | FinishTestRun
  | FinishMerge
  | UpdateQueue
  | Wake

export type Command = CommandBody & { readonly at: Millis }
