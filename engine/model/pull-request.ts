/** A pull request in a queue, and what the code host told about it. */

import type { BisectionId, GroupId, Millis, PullRequestNumber, TestName, TestRunId } from './ids.ts'
import type { CancelReason, PullRequestState, Reason } from './pull-request-state.ts'

export type PullRequest = {
  number: PullRequestNumber
  state: PullRequestState
  /** Why it is in this state; null where the state says it all. */
  reason: Reason | null
  stateChangedAt: Millis
  submittedAt: Millis
  /** Sequence number of this submission in the queue: breaks ties in the order, and names the content. */
  submission: number
  /** When it last became ready; null while it is not waiting for its first start. */
  pendingSince: Millis | null
  priority: number
  /** Whether somebody asked for this priority, or it is the default. */
  priorityAsked: boolean
  noBatch: boolean
  home: Home
  /** An earlier submission of it is on the branch. */
  mergedBefore: boolean
  /** How often it came back from a bisection that found nothing but a flake. */
  flakeReturns: number
  /** The test run that proved it, once one has. */
  verifiedBy: TestRunId | null
  /** Why it FAILED, as runs that anyone can look up. */
  evidence: Evidence | null
  /** Asked to leave during its own merge: takes effect only if the code host refuses. */
  leavingFor: CancelReason | null
}

/** Where a live pull request is. A terminal one is nowhere. */
export type Home =
  | { readonly in: 'nowhere' }
  /** Ready or not, waiting for its first start. */
  | { readonly in: 'order' }
  | { readonly in: 'group'; readonly group: GroupId }
  | { readonly in: 'bisection'; readonly bisection: BisectionId }

export type Evidence = {
  /** The run that holds it and failed; null when no run spoke (a conflict, a refused merge). */
  readonly failedIn: TestRunId | null
  /** The run on the same base that passed without it, where there was one. */
  readonly passedWithout: TestRunId | null
  readonly failedTests: readonly TestName[]
}

/** What the code host told about a pull request; a host that knows nothing tells nothing. */
export type HostFacts = {
  /** False: the host objects, and the pull request is not ready. */
  mergeable: boolean
  /** Pull requests it does not merge with as text; kept on both sides. */
  conflictsWith: PullRequestNumber[]
}
