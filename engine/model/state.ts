/**
 * The whole state of one queue: plain JSON, so that a snapshot is `JSON.stringify` and a restart
 * is `JSON.parse`. Only `evolve` changes it; everybody else holds a `QueueView`.
 */

import type { Bisection } from './bisection.ts'
import type { CompositionKey } from './composition.ts'
import type { Configuration } from './configuration.ts'
import type { Group, Phases, Touching } from './group.ts'
import type { BisectionId, GroupId, Millis, PullRequestNumber, TestRunId } from './ids.ts'
import type { PendingOrder } from './pending-order-state.ts'
import type { HostFacts, PullRequest } from './pull-request.ts'
import type { QueueState } from './queue-state.ts'
import type { ImpactedTargets } from './targets.ts'
import type { RecordedVerdict, TestRun } from './test-run.ts'

export type * from './bisection.ts'
export type * from './entries.ts'
export type * from './group.ts'
export type * from './ids.ts'
export type * from './pending-order-state.ts'
export type * from './pull-request.ts'
export type * from './test-run.ts'

export type Queue = {
  configuration: Configuration
  state: QueueState
  /** The mode to come while SWITCHING_MODES, else null. */
  wishedMode: Configuration['mode'] | null
  /** Whether merges are answered by a code host, or happen at once. */
  codeHost: 'merges at once' | 'answers'
  /** The time of the last command. */
  now: Millis
  /** The earliest wake-up that was asked for and has not come. */
  wakeAt: Millis | null
  /** No test run times out and no retry is due before this. */
  nextDeadline: Millis | null
  /** How many changes the target branch has seen, and what it holds. */
  tip: { number: number; composition: CompositionKey }
  /** The last number given out of each kind. */
  last: { submission: number; group: GroupId; bisection: BisectionId; testRun: TestRunId }
  pullRequests: Record<PullRequestNumber, PullRequest>
  impactedTargets: Record<PullRequestNumber, ImpactedTargets>
  /** Those the code host called green on the tip as it is. */
  greenOnTip: PullRequestNumber[]
  hostFacts: Record<PullRequestNumber, HostFacts>
  /** Who waits for a first start, ready or not. */
  order: PendingOrder
  /** The groups that have started and not left, in order. */
  line: GroupId[]
  groups: Record<GroupId, Group>
  phases: Phases
  /** The groups of the line, by what they touch. Parallel mode only. */
  touching: Touching
  bisections: Bisection[]
  testRuns: Record<TestRunId, TestRun>
  /** Slots taken: test runs under way. */
  slots: { main: number; bisection: number }
  /** Pull requests judged by their tests so far, and those that failed. */
  judged: { count: number; failed: number }
  verdicts: RecordedVerdict[]
  /** Tests that have failed and passed on one composition. */
  flakyTests: Record<string, true>
}

type Frozen<T> = T extends string | number | boolean | null | undefined
  ? T
  : { readonly [Key in keyof T]: Frozen<T[Key]> }

/** What everybody but `evolve` sees of a queue. */
export type QueueView = Frozen<Queue>
export type GroupView = Frozen<Group>
export type BisectionView = Frozen<Bisection>
export type PullRequestView = Frozen<PullRequest>
