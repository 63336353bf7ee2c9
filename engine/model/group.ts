/** Groups, and the test runs of groups, bisections and the tip. */

import type {
  BisectionId,
  GroupId,
  Millis,
  PullRequestNumber,
  TestName,
  TestRunId,
  CompositionKey,
} from './ids.ts'
import type { RunFailureReason } from './pull-request.ts'
import type { ImpactedTargets } from './targets.ts'

/**
 * The pull requests that one run tests as a unit (one, or a batch), and their place in the line.
 */
export type Group = {
  id: GroupId
  /** The members that have not merged, in order. */
  members: PullRequestNumber[]
  /** It entered as urgent, so later urgent groups stay behind it. */
  urgent: boolean
  /** The batch that it was split from; absent if it was not split from one. */
  partOf?: GroupId
  /** Ascending along the line; the values may have gaps. */
  place: number
  /** Its impacted targets as of its last start, and all uploaded since. Parallel mode only. */
  targets: ImpactedTargets
  /** The groups ahead that share a target with it; some may have left. Parallel mode only. */
  dependsOn: GroupId[]
  /** The bisections that share a target with it; some may have ended. Parallel mode only. */
  beside: BisectionId[]
  /** The bisection that proved it, if it only waits to be merged. */
  provenBy: BisectionId | null
  /** A screening run of these members has passed; absent if none has. */
  screened?: true
  /**
   * Its run does not hold a commit that the branch has had since: it was tested alone, or its failure
   * has stepped aside. It counts only while the group has a run, or the retry of one: the next start
   * ends it.
   */
  overtaken?: true
  phase: GroupPhase
}

export type GroupPhase =
  /** It waits for a run: its first one, a new one, or a repetition after the runner lost one. */
  | { readonly kind: 'waiting'; readonly retry: Retry | null }
  | { readonly kind: 'testing'; readonly run: TestRun }
  | {
      readonly kind: 'passed'
      /** The run that cleared it: its own, or that of a successor; null for a direct merge. */
      readonly run: TestRun | null
      /** The member that the code host is merging, or the first of them. */
      readonly merging: PullRequestNumber | null
      /** It merges all members in one push; absent if it merges only the one. */
      readonly together?: true
      /** The branch was pushed to from outside since the code host was asked; absent if not. */
      readonly pushedTo?: true
      /** Its first member has merged, so the others merge in every state of the queue. */
      readonly begun: boolean
    }
  | {
      readonly kind: 'failed'
      readonly run: TestRun
      readonly reason: RunFailureReason
      readonly failedTests: readonly TestName[]
      /**
       * Its hold has begun. From this instant on, a successor without a run is not awaited; null
       * while the failure is not the group's own.
       */
      readonly heldUntil: Millis | null
      /** The groups behind leave it out while its failure is not settled; absent if they include it. */
      readonly aside?: true
    }
  /** It is left out of the compositions behind it, and waits for another pull request. */
  | {
      readonly kind: 'conflicted'
      readonly with: PullRequestNumber
      /** It conflicts as text with that one; else it depends on it, and that one is not below it (E-266). */
      readonly asText: boolean
    }

/** The groups of the line by phase, in line order. */
export type Phases = Record<GroupPhase['kind'], GroupId[]>

export const noPhases = (): Phases => ({
  waiting: [],
  testing: [],
  passed: [],
  failed: [],
  conflicted: [],
})

/** The groups of the line by target. Groups that impact every target are only in `all`. */
export type GroupsByTarget = { byTarget: Record<string, GroupId[]>; all: GroupId[] }

// Test runs, their repetitions and their verdicts.

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
