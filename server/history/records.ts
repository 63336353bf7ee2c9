/** What the history of a queue consists of. */

import type {
  Card,
  HeldFor,
  Millis,
  PausedFor,
  PullRequestNumber,
  TestRun,
  TestRunId,
} from '../../engine/index.ts'
import type { Conclusions } from './conclusions.ts'
import type { Counts } from './counts.ts'
import type { Timeline } from './timeline.ts'

export type Description = {
  readonly title: string
  readonly author: string
  /** The branch into which it wishes to merge. */
  readonly base: string
}

/** A card with the pull request and the instant of its submission. */
export type FrozenCard = Card & { readonly number: PullRequestNumber; readonly at: Millis }

export type PullRequestPast = {
  /** The head commit that was reported last; empty if none was. */
  sha: string
  /** What the code host told about it last; empty if it told nothing. */
  described: Description
  timeline: Timeline
  /** Position in `conclusions` of its latest conclusion; null while it is in the queue or unknown. */
  concludedAs: number | null
  /** Why its merge was refused, in the words of git or the host; absent: it was not, or nobody told. */
  refusedFor?: string
  /** Why it is not mergeable now; absent: it is, or nobody told. */
  heldFor?: HeldFor
}

export type PastRunOutcome = 'passed' | 'failed' | 'errored' | 'timed_out' | 'cancelled'

export type PastRun = {
  readonly kind: TestRun['owner']['kind']
  /** Unmerged pull requests below the tested ones. */
  readonly base: readonly PullRequestNumber[]
  readonly tested: readonly PullRequestNumber[]
  readonly startedAt: Millis
  /** Null while the run is in progress. */
  outcome: PastRunOutcome | null
  /** Null also for one of which only a snapshot of an older version tells. */
  endedAt: Millis | null
  /** A page about the run, for people; empty if none was reported. */
  url: string
  /** The commit that was tested; absent if nobody told it. */
  commit?: string
}

export type QueueHistory = {
  readonly pullRequests: Map<PullRequestNumber, PullRequestPast>
  readonly testRuns: Map<TestRunId, PastRun>
  /** Pull requests in the order in which they left; of repeated entries the last counts. */
  readonly conclusions: Conclusions
  /** Pull requests about which something was reported while they were not in the queue, and when. */
  readonly reported: Map<PullRequestNumber, Millis>
  /** By submission, as test runs name what they contain. */
  readonly cards: Map<number, FrozenCard>
  /** The commits of the target branch, by the number of the tip. */
  readonly tips: Map<number, string>
  /** Why the server has paused the queue by itself; null: it has not. */
  pausedFor: PausedFor | null
  /** Who has set how long a test run may take; null: nobody. */
  timeoutBy: 'server' | 'somebody' | null
  /** What metrics count. */
  readonly counts: Counts
  /** The number of the last notice that webhooks got. */
  notices: number
}
