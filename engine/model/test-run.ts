/** Test runs, their repetitions and their verdicts. */

import type { CompositionKey } from './composition.ts'
import type { BisectionId, GroupId, Millis, PullRequestNumber, TestName, TestRunId } from './ids.ts'
import type { RunFailureReason } from './pull-request.ts'

/** One test run. It tests `tested` on top of the tip and the unmerged pull requests in `base`; both may be empty. */
export type TestRun = {
  readonly id: TestRunId
  readonly owner:
    | { readonly kind: 'main'; readonly group: GroupId }
    | { readonly kind: 'bisection'; readonly bisection: BisectionId }
    /** The branch by itself, without a pull request. */
    | { readonly kind: 'tip' }
  /** The number of commits of the target branch when the run started. */
  readonly tip: number
  readonly base: readonly PullRequestNumber[]
  readonly tested: readonly PullRequestNumber[]
  /** The submissions of `base`, then of `tested`. A resubmitted pull request has another one. */
  readonly submissions: readonly number[]
  readonly composition: CompositionKey
  readonly startedAt: Millis
  /** The instant at which it times out. */
  readonly deadline: Millis
  /** It tests a group without its predecessors; absent for every other run. */
  readonly screening?: true
  /** It passed although these tests failed, because all are in quarantine; absent for every other run. */
  readonly quarantined?: readonly string[]
  /** How many runs of the same composition the test runner has lost before. */
  readonly attempt: number
}

/** A planned repetition of a run, not before an instant. */
export type Retry = {
  readonly of: TestRun
  readonly notBefore: Millis
  readonly attempt: number
}

/** A verdict that a later one can contradict. The last 100 are kept. */
export type RecordedVerdict = {
  readonly composition: CompositionKey
  readonly run: TestRunId
  readonly outcome: 'passed' | 'failed'
  readonly failedTests: readonly string[]
  /** It passed although these tests failed, because all are in quarantine; absent for every other run. */
  readonly quarantined?: true
  contradicted: boolean
}

/** What the last test of the tip by itself has shown. */
export type TipTest = {
  readonly run: TestRunId
  /** The number of commits of the branch that were tested. */
  readonly tip: number
  /** If it passed: the first tip that has, with only tested commits since. Absent up to engine version 8. */
  readonly soundFrom?: number
  /** Tests in quarantine that failed in the run that passed on it, or in those by which others merged since. */
  readonly leansOn?: readonly string[]
  /** Null: it passed. */
  readonly failure: TipFailure | null
}

export type TipFailure = {
  readonly reason: RunFailureReason
  readonly failedTests: readonly TestName[]
  /** When the first of the failed runs without a pass between them has ended. */
  readonly since: Millis
  /** The number of commits of the tip that failed then. */
  readonly from: number
  /** How many failed since. */
  readonly times: number
  /** The same tip is not tested again before this instant. */
  readonly notBefore: Millis
}

/** What a run of the branch by itself tests. */
export type Tip = { readonly tip: number; readonly composition: CompositionKey }
