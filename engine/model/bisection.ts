/** A bisection: a failed batch on its way to its culprits. */

import type { CompositionKey } from './composition.ts'
import type { BisectionId, PullRequestNumber, TestName, TestRunId } from './ids.ts'
import type { RunFailureReason } from './pull-request-state.ts'
import type { ImpactedTargets } from './targets.ts'
import type { Retry, TestRun } from './test-run.ts'

/** What a bisection knows of one composition. */
export type BisectionVerdict = {
  readonly outcome: 'passed' | 'failed'
  readonly run: TestRun
  /** The batch's own run, made before the bisection began. */
  readonly ofBatch: boolean
  /** A second run of this composition has spoken: there will be no third. */
  readonly confirmed: boolean
  readonly reason: RunFailureReason | null
  readonly failedTests: readonly TestName[]
}

/** A failed batch on its way to its culprits, pinned to the tip on which it failed. */
export type Bisection = {
  id: BisectionId
  /** What stood for each member's content when it began. */
  submissions: Record<PullRequestNumber, number>
  /** What its batch touched. Parallel mode only. */
  targets: ImpactedTargets
  /** How many it began with. */
  size: number
  /** The pinned tip: moves only when one of its own members merges. */
  tip: number
  composition: CompositionKey
  /** Somebody else's change that shares a target has come onto the branch since. */
  isTipMoved: boolean
  /** Proven and handed to the line to be merged, not merged yet: still below every further run. */
  handedOver: PullRequestNumber[]
  /** Proven, and still here. */
  proven: PullRequestNumber[]
  /** The latest run that proved anybody: it holds all that is proven. */
  provenIn: TestRun | null
  /** Not decided yet, in order. */
  open: PullRequestNumber[]
  /** The composition of all that is below plus each prefix of what is open, shortest first. */
  prefixes: CompositionKey[]
  verdicts: Record<CompositionKey, BisectionVerdict>
  /** Its runs under way. */
  underWay: TestRunId[]
  /** Errored runs to be made again. */
  retries: Retry[]
  /** Runs spent so far, the batch's own included. */
  runsSpent: number
  convicted: number
  /** Members that left by themselves. */
  departed: number
}
