/**
 * The commands of the engine. Each command carries the instant at which it happened, which is the
 * only time that the engine knows.
 */

import type { Configuration } from '../model/configuration.ts'
import type { CancelReason, MergeRefusal } from '../model/pull-request.ts'
import type { WritableQueueState, QueueState } from '../model/queue-state.ts'
import type {
  Millis,
  PullRequestNumber,
  TestName,
  TestRunId,
  PullRequestView,
} from '../model/state.ts'
import type { ImpactedTargets } from '../model/targets.ts'

/**
 * Submits a pull request. If it is in the queue already, the given options replace the old ones, or,
 * if it names another head commit, it leaves and this is a new submission.
 */
export type SubmitPullRequest = {
  readonly type: 'submitPullRequest'
  readonly number: PullRequestNumber
  /** The head commit that is submitted. If missing: nothing is said about the content. */
  readonly sha?: string
  /** 0 (urgent) to 255. If missing: unchanged, or the default for a new submission. */
  readonly priority?: number
  readonly noBatch?: boolean
  /** The pull requests before which and without which it must not land. If missing: unchanged, or none. */
  readonly dependsOn?: readonly PullRequestNumber[]
}

/** Takes a pull request out of the queue, by request or because of a change on the code host. */
export type CancelPullRequest = {
  readonly type: 'cancelPullRequest'
  readonly number: PullRequestNumber
  readonly reason: CancelReason
}

/** Runs the tests of a pull request again. */
export type RestartTests = { readonly type: 'restartTests'; readonly number: PullRequestNumber }

/** Uploads impacted targets, also before the submission. They replace an earlier upload. */
export type SetImpactedTargets = {
  readonly type: 'setImpactedTargets'
  readonly number: PullRequestNumber
  readonly targets: ImpactedTargets
}

/** Facts of the code host about a pull request. Missing facts stay unchanged. */
export type ReportPullRequest = {
  readonly type: 'reportPullRequest'
  readonly number: PullRequestNumber
  readonly mergeable?: boolean
  /** It is based on the current tip and its tests are green. */
  readonly greenOnTip?: boolean
  /** Pull requests with which it has a text conflict. */
  readonly conflictsWith?: readonly PullRequestNumber[]
}

/** A person merged the pull request on the code host. */
export type ReportManualMerge = {
  readonly type: 'reportManualMerge'
  readonly number: PullRequestNumber
}

/** A push to the target branch that bypassed the queue. */
export type ReportPush = { readonly type: 'reportPush' }

/** The result of a test run. */
export type FinishTestRun = {
  readonly type: 'finishTestRun'
  readonly testRun: TestRunId
  /** errored: the test runner lost the run, so there is no verdict. */
  readonly outcome: 'passed' | 'failed' | 'errored'
  readonly failedTests?: readonly TestName[]
  /** Tests that failed first and passed when repeated within the run. */
  readonly flakyTests?: readonly TestName[]
}

/**
 * Git cannot build the composition of a test run: `number` has a text conflict with a pull request
 * below it in the composition, or with the tip. So the run has no verdict.
 */
export type ReportUnbuildable = {
  readonly type: 'reportUnbuildable'
  readonly testRun: TestRunId
  readonly number: PullRequestNumber
  readonly conflictsWith: PullRequestNumber | 'tip'
}

/** The answer of the code host to a merge that the engine requested. */
export type FinishMerge = {
  readonly type: 'finishMerge'
  /** The first that has merged, or the one because of which the merge was refused. */
  readonly number: PullRequestNumber
  /**
   * Those that have merged in this push, in order: the first of those requested, or all of them. If
   * missing: only `number`.
   */
  readonly numbers?: readonly PullRequestNumber[]
  /** Null: it has merged. */
  readonly refused: MergeRefusal | null
}

/** Changes settings, state or mode. Missing fields stay unchanged. */
export type UpdateQueue = {
  readonly type: 'updateQueue'
  readonly set: Partial<Configuration> & { readonly state?: WritableQueueState }
}

/** The queue gets a code host that is asked for each merge. Nobody may be in the line. */
export type AttachHost = {
  readonly type: 'attachHost'
  /** `groups`: it lands all members of a group in one push. */
  readonly codeHost: 'answers' | 'groups'
}

/** Puts a test in quarantine: a run in which only such tests fail counts as passed. Replaces its entry. */
export type QuarantineTest = {
  readonly type: 'quarantineTest'
  readonly test: TestName
  readonly who?: string
  readonly why?: string
  /** If missing: without an end. */
  readonly until?: Millis
}

/** Takes a test out of quarantine. */
export type ReleaseTest = { readonly type: 'releaseTest'; readonly test: TestName }

/** Makes the rules handle what is due, at an instant that the engine requested or at any other. */
export type Wake = {
  readonly type: 'wake'
  /** No result of the runs under way could arrive until now, so each gets its whole time again. Rule: E-308. */
  readonly isLate?: true
}

/** Removes what is known about pull requests that are not in the queue any more, to free memory. */
export type Forget = { readonly type: 'forget'; readonly numbers: readonly PullRequestNumber[] }

export type CommandBody =
  | SubmitPullRequest
  | CancelPullRequest
  | RestartTests
  | SetImpactedTargets
  | ReportPullRequest
  | ReportManualMerge
  | ReportPush
  | FinishTestRun
  | ReportUnbuildable
  | FinishMerge
  | UpdateQueue
  | AttachHost
  | QuarantineTest
  | ReleaseTest
  | Wake
  | Forget

export type Command = CommandBody & { readonly at: Millis }

// The reasons why a command was rejected. A rejected command has changed nothing.

export type Rejection =
  /** The pull request is not in the queue. */
  | { readonly code: 'not in queue'; readonly number: PullRequestNumber }
  /** The pull request has no test run that could be restarted. */
  | {
      readonly code: 'nothing to restart'
      readonly number: PullRequestNumber
      readonly state: PullRequestView['state']
    }
  /** It would depend on itself through these, from it to it. */
  | {
      readonly code: 'depends on itself'
      readonly number: PullRequestNumber
      readonly through: readonly PullRequestNumber[]
    }
  /** The merge of the pull request has begun; or the engine did not request a merge of it. */
  | { readonly code: 'merge under way'; readonly number: PullRequestNumber }
  | { readonly code: 'no merge under way'; readonly number: PullRequestNumber }
  /** The test run is over or never started, so its result is ignored. */
  | { readonly code: 'test run is over' }
  /** The run does not hold the pull request, or not below the one that conflicts with it. */
  | { readonly code: 'not in the test run'; readonly number: PullRequestNumber }
  /** The test has no entry in the quarantine; or the queue has too many entries. */
  | { readonly code: 'not in quarantine'; readonly test: string }
  | { readonly code: 'quarantine is full' }
  /** A code host is attached only while nobody is in the line or in a bisection. */
  | { readonly code: 'line is not empty' }
  /** `state` and `mode` cannot be changed while the queue switches modes. */
  | { readonly code: 'switching modes' }
  /** A change of mode while the line is not empty needs a RUNNING queue. */
  | { readonly code: 'mode change needs RUNNING'; readonly state: QueueState }
