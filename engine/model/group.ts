/** A group: a pull request or a batch, with its place in the line. */

import type { BisectionId, GroupId, PullRequestNumber, TestName, TestRunId } from './ids.ts'
import type { RunFailureReason } from './pull-request-state.ts'
import type { ImpactedTargets } from './targets.ts'
import type { Retry, TestRun } from './test-run.ts'

/** The pull requests tested as one unit, one or a batch, with its place in the line. */
export type Group = {
  id: GroupId
  /** Not yet merged, in order. */
  members: PullRequestNumber[]
  /** Came in as urgent: later urgents queue up behind it. */
  urgent: boolean
  /** Orders the line: whoever is ahead has the lower one. */
  place: number
  /** What it touches, as of its last start. Parallel mode only. */
  targets: ImpactedTargets
  /** The groups ahead with which it shares a target; some may have left. Parallel mode only. */
  dependsOn: GroupId[]
  /** The bisections with which it shares a target; some may be over. Parallel mode only. */
  beside: BisectionId[]
  /** The bisection that proved it, when it only waits to be merged. */
  provenBy: BisectionId | null
  phase: GroupPhase
}

export type GroupPhase =
  /** Wants a run: the first, a new one, or the same again after an error. */
  | { readonly kind: 'waiting'; readonly retry: Retry | null }
  | { readonly kind: 'testing'; readonly run: TestRun }
  | {
      readonly kind: 'passed'
      /** The run that cleared it, its own or a successor's; null for a direct merge. */
      readonly run: TestRun | null
      /** The member whose merge the code host is working on. */
      readonly merging: PullRequestNumber | null
      /** Its first member has merged: the rest follows whatever happens. */
      readonly begun: boolean
    }
  | {
      readonly kind: 'failed'
      readonly run: TestRun
      readonly reason: RunFailureReason
      readonly failedTests: readonly TestName[]
      /** The successor runs to wait for, once they have been noted. */
      readonly noted: readonly TestRunId[] | null
    }
  /** Conflicts as text with an unmerged predecessor, and waits for that one's fate. */
  | { readonly kind: 'conflicted'; readonly with: PullRequestNumber }

/** The groups of the line in each phase, in order. */
export type Phases = Record<GroupPhase['kind'], GroupId[]>

export const noPhases = (): Phases => ({
  waiting: [],
  testing: [],
  passed: [],
  failed: [],
  conflicted: [],
})

/** Which groups of the line touch a target; those that touch everything stand in `all` alone. */
export type Touching = { byTarget: Record<string, GroupId[]>; all: GroupId[] }
