/** A run of the tests, its repetition, and what it said. */

import type { CompositionKey } from './composition.ts'
import type { BisectionId, GroupId, Millis, PullRequestNumber, TestRunId } from './ids.ts'

/** One run of the tests. `base` are the unmerged pull requests below, `tested` those it speaks for. */
export type TestRun = {
  readonly id: TestRunId
  readonly owner:
    | { readonly kind: 'main'; readonly group: GroupId }
    | { readonly kind: 'bisection'; readonly bisection: BisectionId }
  /** How many changes the target branch had seen when the run was put together. */
  readonly tip: number
  readonly base: readonly PullRequestNumber[]
  readonly tested: readonly PullRequestNumber[]
  /** The submissions of `base`, then of `tested`: a number that comes back is another content. */
  readonly submissions: readonly number[]
  readonly composition: CompositionKey
  readonly startedAt: Millis
  /** When it times out. */
  readonly deadline: Millis
  /** How many runs of this very composition errored before. */
  readonly attempt: number
}

/** The same composition is to be tested again, not before an instant. */
export type Retry = {
  readonly of: TestRun
  readonly notBefore: Millis
  readonly attempt: number
}

/** A verdict that a flake could contradict; the last hundred are kept. */
export type RecordedVerdict = {
  readonly composition: CompositionKey
  readonly run: TestRunId
  readonly outcome: 'passed' | 'failed'
  readonly failedTests: readonly string[]
  contradicted: boolean
}
