/** The state of a bisection. */

import type { CompositionKey } from './composition.ts'
import type { BisectionId, PullRequestNumber, TestName, TestRunId } from './ids.ts'
import type { RunFailureReason } from './pull-request-state.ts'
import type { ImpactedTargets } from './targets.ts'
import type { Retry, TestRun } from './test-run.ts'

/** The result of one composition, as a bisection knows it. */
export type BisectionVerdict = {
  readonly outcome: 'passed' | 'failed'
  readonly run: TestRun
  /** The run is that of the whole batch, from before the bisection. */
  readonly ofBatch: boolean
  /** A second run of this composition has finished: there will be no third. */
  readonly confirmed: boolean
  readonly reason: RunFailureReason | null
  readonly failedTests: readonly TestName[]
  /** In how many runs of this composition tests have failed. */
  readonly failures: number
}

/** The search for the culprits of a failed batch, on the pinned tip on which the batch failed. */
export type Bisection = {
  id: BisectionId
  /** The submission of each member when the bisection began; it identifies the content. */
  submissions: Record<PullRequestNumber, number>
  /** The impacted targets of the batch, and all uploaded since for its members. Parallel mode only. */
  targets: ImpactedTargets
  /** Number of members at the beginning. */
  size: number
  /** The number of commits of the target branch when it began. */
  began: number
  /** The pinned tip. It moves only when a member of this bisection merges. */
  tip: number
  composition: CompositionKey
  /** Another change that shares a target has reached the branch since then. */
  isTipMoved: boolean
  /** Proven members that are in the line and not merged yet: still below every further run. */
  handedOver: PullRequestNumber[]
  /** Proven members that have not been handed over to the line. */
  proven: PullRequestNumber[]
  /** The latest run that proved a member; it contains all members in `proven`. */
  provenIn: TestRun | null
  /** Undecided members, in order. */
  open: PullRequestNumber[]
  /** The compositions of each prefix of `open` on top of the proven members, shortest first. */
  prefixes: CompositionKey[]
  verdicts: Record<CompositionKey, BisectionVerdict>
  /** Its runs in progress. */
  underWay: TestRunId[]
  /** Runs to be repeated, because the runner lost them or because of a request. */
  retries: Retry[]
  /** Number of runs so far, including the run of the batch. */
  runsSpent: number
  convicted: number
  /** Number of members that departed. */
  departed: number
}
