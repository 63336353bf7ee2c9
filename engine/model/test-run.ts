/** Test runs, their repetitions and their verdicts. */

import type { CompositionKey } from './composition.ts'
import type { BisectionId, GroupId, Millis, PullRequestNumber, TestRunId } from './ids.ts'

/** One test run. It tests `tested` on top of the tip and the unmerged pull requests in `base`. */
export type TestRun = {
  readonly id: TestRunId
  readonly owner:
    | { readonly kind: 'main'; readonly group: GroupId }
    | { readonly kind: 'bisection'; readonly bisection: BisectionId }
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
  contradicted: boolean
}
