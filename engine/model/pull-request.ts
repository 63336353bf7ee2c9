/** The state of a pull request, and the facts that the code host reported about it. */

import type { BisectionId, GroupId, Millis, PullRequestNumber, TestName, TestRunId } from './ids.ts'
import type { CancelReason, PullRequestState, Reason } from './pull-request-state.ts'

export type PullRequest = {
  number: PullRequestNumber
  state: PullRequestState
  /** The reason of the last move; null if the move had none. */
  reason: Reason | null
  stateChangedAt: Millis
  submittedAt: Millis
  /**
   * Sequence number of this submission in the queue. Breaks ties in the order; identifies the
   * content.
   */
  submission: number
  /** The head commit that was submitted; absent if the submission named none. */
  sha?: string
  /** The pull requests that it depends on; absent for none. Rule: E-260. */
  dependsOn?: PullRequestNumber[]
  /** The key of its place among those of its priority; absent if that is `submission`. */
  turn?: number
  /** The one because of which it left, if it left for what it depended on. */
  leftWith?: PullRequestNumber
  /** Since when it is PENDING for its first start; null if it is not. */
  pendingSince: Millis | null
  priority: number
  /** True if a submission set the priority; false if it is the default. */
  priorityAsked: boolean
  noBatch: boolean
  home: PullRequestLocation
  /** An earlier submission of it was merged. */
  mergedBefore: boolean
  /** How many times a bisection that found only a flake has sent it back. */
  flakeReturns: number
  /** The test run that proved it; null if none has. */
  verifiedBy: TestRunId | null
  /** It merged by a run in which these failed, and only tests in quarantine; absent for every other. */
  quarantined?: readonly string[]
  /** The runs that show why it FAILED; null if it has not FAILED. */
  evidence: Evidence | null
  /** The reason of a cancel during its own merge. It takes effect only if the code host refuses. */
  leavingFor: CancelReason | null
}

/** The location of a pull request; `nowhere` in a terminal state. */
export type PullRequestLocation =
  | { readonly in: 'nowhere' }
  /** It waits for its first start, PENDING or NOT_READY. */
  | { readonly in: 'order' }
  | { readonly in: 'group'; readonly group: GroupId }
  | { readonly in: 'bisection'; readonly bisection: BisectionId }

export type Evidence = {
  /** The failed run that contains it; null if there was no run (a conflict, a refused merge). */
  readonly failedIn: TestRunId | null
  /** The run that passed on the same base without it; null if there was none. */
  readonly passedWithout: TestRunId | null
  readonly failedTests: readonly TestName[]
}

/** The facts that the code host has reported about a pull request. */
export type HostFacts = {
  /** False: the code host objects, so the pull request is not ready. */
  mergeable: boolean
  /** The pull requests with which it has a text conflict; stored for both. */
  conflictsWith: PullRequestNumber[]
}
