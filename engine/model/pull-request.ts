/**
 * The states of a pull request and the allowed transitions between them, as data.
 *
 * `evolve` throws on a move that is not in this table. The table in engine/README.md is generated
 * from it. Rules: E-15, E-16.
 */

import type { BisectionId, GroupId, Millis, PullRequestNumber, TestName, TestRunId } from './ids.ts'

export const pullRequestStates = [
  'NOT_READY',
  'PENDING',
  'TESTING',
  'TESTS_PASSED',
  'MERGED',
  'FAILED',
  'CANCELLED',
  'PENDING_FAILURE',
] as const

export type PullRequestState = (typeof pullRequestStates)[number]
export type TerminalState = 'MERGED' | 'FAILED' | 'CANCELLED'

const terminal = ['MERGED', 'FAILED', 'CANCELLED'] as const
const live = ['NOT_READY', 'PENDING', 'TESTING', 'TESTS_PASSED', 'PENDING_FAILURE'] as const

export const restartReasons = [
  'PREREQUISITE_MERGE_ITEM_FAILED',
  'PREREQUISITE_MERGE_ITEM_CANCELLED',
  'TESTS_RESTARTED_BY_API_REQUEST',
  'SKIP_THE_LINE_INTERRUPTED',
  'MANUAL_PUSH_TO_TARGET_BRANCH',
  'BISECTION_REQUIRED',
  'BISECTION_TEST_RUN_PASSED',
  'TEST_RUNNER_ERROR',
  'TARGET_BRANCH_FAILED',
  'MERGE_ITEM_NOW_READY',
] as const

const failureReasons = [
  'TEST_RUN_REQUIRED_STATUS_FAILED',
  'TEST_RUN_TIMEOUT',
  'START_TEST_RUN_MERGE_CONFLICT',
  'START_TEST_RUN_RETRY_EXHAUSTED',
  'TEST_RUN_FAILED_BY_OPTIMIZATION',
  'PR_UPDATED_AT_MERGE_TIME',
  'GITHUB_API_MERGE_PR_FAILED',
] as const

export const cancelReasons = [
  'USER_REQUESTED',
  'PR_CLOSED',
  'PR_PUSHED_TO',
  'PR_BASE_BRANCH_CHANGED',
  'PR_CONVERTED_TO_DRAFT',
] as const

/** What it depended on has left. Rule: E-264. */
const dependencyReasons = [
  'PREREQUISITE_MERGE_ITEM_FAILED',
  'PREREQUISITE_MERGE_ITEM_CANCELLED',
] as const

export type RestartReason = (typeof restartReasons)[number]
export type FailureReason = (typeof failureReasons)[number]
export type CancelReason = (typeof cancelReasons)[number]
export type DependencyReason = (typeof dependencyReasons)[number]

/** The reasons for which a test run can fail. */
export type RunFailureReason = Extract<
  FailureReason,
  'TEST_RUN_REQUIRED_STATUS_FAILED' | 'TEST_RUN_TIMEOUT' | 'START_TEST_RUN_RETRY_EXHAUSTED'
>

/** The reasons for which the code host can refuse a merge. */
export type RefusalReason = Extract<
  FailureReason,
  'PR_UPDATED_AT_MERGE_TIME' | 'GITHUB_API_MERGE_PR_FAILED' | 'START_TEST_RUN_MERGE_CONFLICT'
>

/** Why the code host did not merge. A moved target branch is nobody's failure (E-208). */
export type MergeRefusal = RefusalReason | 'TARGET_BRANCH_MOVED'

export type Reason =
  | RestartReason
  | FailureReason
  | CancelReason
  | 'API_REQUESTED'
  | 'TEST_RUN_PASSED'
  | 'SUCCESSOR_TEST_RUN_PASSED'
  | 'SCREENING_TEST_RUN_PASSED'
  | 'MERGE_GRAPH_MERGE'
  | 'MERGE_GRAPH_DIRECT_MERGE'
  | 'MANUAL_MERGE'

export type Transition = {
  readonly from: readonly (PullRequestState | 'none')[]
  readonly to: PullRequestState
  /** The allowed reasons of a move along this row; null for a move without a reason. */
  readonly reasons: readonly (Reason | null)[]
}

export const pullRequestTransitions: readonly Transition[] = [
  { from: ['none', ...terminal], to: 'NOT_READY', reasons: ['API_REQUESTED'] },
  { from: ['none', ...terminal], to: 'PENDING', reasons: ['API_REQUESTED'] },
  { from: ['NOT_READY'], to: 'PENDING', reasons: ['MERGE_ITEM_NOW_READY'] },
  { from: ['PENDING'], to: 'NOT_READY', reasons: [null] },
  { from: ['PENDING'], to: 'TESTING', reasons: [null] },
  { from: ['TESTING'], to: 'TESTS_PASSED', reasons: ['TEST_RUN_PASSED'] },
  { from: ['TESTING'], to: 'PENDING', reasons: ['SCREENING_TEST_RUN_PASSED'] },
  { from: ['TESTING'], to: 'PENDING_FAILURE', reasons: [null] },
  { from: ['TESTING', 'TESTS_PASSED', 'PENDING_FAILURE'], to: 'PENDING', reasons: restartReasons },
  {
    from: ['TESTING', 'PENDING_FAILURE'],
    to: 'TESTS_PASSED',
    reasons: ['SUCCESSOR_TEST_RUN_PASSED'],
  },
  { from: ['TESTS_PASSED'], to: 'MERGED', reasons: ['MERGE_GRAPH_MERGE'] },
  { from: ['PENDING'], to: 'MERGED', reasons: ['MERGE_GRAPH_DIRECT_MERGE'] },
  { from: live, to: 'MERGED', reasons: ['MANUAL_MERGE'] },
  { from: ['PENDING_FAILURE', 'TESTING', 'TESTS_PASSED'], to: 'FAILED', reasons: failureReasons },
  { from: live, to: 'CANCELLED', reasons: [...cancelReasons, ...dependencyReasons] },
]

type From = Transition['from'][number]

/** The rows by source state, built once because every move looks up a row. */
const rowsFrom: ReadonlyMap<From, readonly Transition[]> = new Map(
  (['none', ...pullRequestStates] as const).map((state) => [
    state,
    pullRequestTransitions.filter(({ from }) => from.includes(state)),
  ]),
)

/** True if the table has a row for this move. */
export function isAllowedMove(from: From, to: PullRequestState, reason: Reason | null): boolean {
  for (const row of rowsFrom.get(from) ?? []) {
    if (row.to === to && row.reasons.includes(reason)) return true
  }
  return false
}

/**
 * True if a pull request in this state has left the queue. Only a new submission brings it back.
 */
export function isTerminal(state: PullRequestState): state is TerminalState {
  return state === 'MERGED' || state === 'FAILED' || state === 'CANCELLED'
}

// The state of a pull request, and the facts that the code host reported about it.

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
  /** False: the code host objects, so the pull request is not ready. Absent: it has not said. */
  mergeable?: boolean
  /** The pull requests with which it has a text conflict; stored for both. */
  conflictsWith: PullRequestNumber[]
}
