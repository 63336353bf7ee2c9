/** What the history of a queue consists of. */

import type {
  PullSnapshot,
  HeldFor,
  Millis,
  PausedFor,
  PullRequestNumber,
  TestRun,
  TestRunId,
} from '../../engine/index.ts'
import type { Counts } from './counts.ts'
import type { Timeline } from './timeline.ts'

export type Description = {
  readonly title: string
  readonly author: string
  /** The branch into which it is to merge. */
  readonly base: string
}

/** A snapshot with the pull request and the instant of its submission. */
export type FrozenSnapshot = PullSnapshot & {
  readonly number: PullRequestNumber
  readonly at: Millis
}

export type PullRequestPast = {
  /** The head commit that was reported last; empty if none was. */
  sha: string
  /** What the code host told about it last; empty if it told nothing. */
  described: Description
  timeline: Timeline
  /** Position in `conclusions` of its latest conclusion; null while it is in the queue or unknown. */
  concludedAs: number | null
  /** The commit whose tests failed last; absent: none failed, or nobody told which it was. */
  failedCommit?: string
  /** Why its merge was refused, in the words of git or the host; absent: it was not, or nobody told. */
  refusedFor?: string
  /** Why it is not mergeable now; absent: it is, or nobody told. */
  heldFor?: HeldFor
  /** The token that has cancelled it while it was merged (E-46); absent: none has, or nobody knows. */
  leavingBy?: string
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

/** The required statuses that were set until an instant; null: none by name. */
export type StatusesUntil = {
  readonly until: Millis
  readonly statuses: readonly string[] | null
}

export type QueueHistory = {
  readonly pullRequests: Map<PullRequestNumber, PullRequestPast>
  readonly testRuns: Map<TestRunId, PastRun>
  /** Pull requests in the order in which they left; of repeated entries the last counts. */
  readonly conclusions: Conclusions
  /** Pull requests about which something was reported while they were not in the queue, and when. */
  readonly reported: Map<PullRequestNumber, Millis>
  /** By submission, as test runs name what they contain. */
  readonly snapshots: Map<number, FrozenSnapshot>
  /** The commits of the target branch, by the number of the tip. */
  readonly tips: Map<number, string>
  /** Why the server has paused the queue by itself; null: it has not. */
  pausedFor: PausedFor | null
  /** Who has set how long a test run may take; null: nobody. */
  timeoutBy: 'server' | 'somebody' | null
  /** The required statuses of earlier settings, oldest first: finished runs were judged by these. */
  statusesUntil: StatusesUntil[]
  /** What metrics count. */
  readonly counts: Counts
  /** The number of the last notice that webhooks got. */
  notices: number
}

// The pull requests of a queue in the order in which they left it. Each entry keeps its position, also
// when older entries are forgotten, because clients hold positions as cursors of pages.

export class Conclusions {
  #numbers: PullRequestNumber[]
  /** The position of the first entry that is kept. */
  #first: number
  #forgottenUntil: Millis

  constructor(
    numbers: readonly PullRequestNumber[] = [],
    { first = 0, forgottenUntil = 0 }: Partial<Forgotten> = {},
  ) {
    this.#numbers = [...numbers]
    this.#first = first
    this.#forgottenUntil = forgottenUntil
  }

  /** Adds an entry and returns its position. */
  add(number: PullRequestNumber): number {
    return this.#first + this.#numbers.push(number) - 1
  }

  /** The number at a position; undefined if it is forgotten or to come. */
  at(position: number): PullRequestNumber | undefined {
    return this.#numbers[position - this.#first]
  }

  /** One more than the position of the last entry. */
  get end(): number {
    return this.#first + this.#numbers.length
  }

  get forgotten(): Forgotten {
    return { first: this.#first, forgottenUntil: this.#forgottenUntil }
  }

  /** The entries that are kept, oldest first. */
  *entries(): Generator<readonly [position: number, number: PullRequestNumber]> {
    for (const [index, number] of this.#numbers.entries()) yield [this.#first + index, number]
  }

  get numbers(): readonly PullRequestNumber[] {
    return this.#numbers
  }

  /** Notes that a pull request is forgotten that left at this instant. */
  forget(leftAt: Millis): void {
    this.#forgottenUntil = Math.max(this.#forgottenUntil, leftAt)
  }

  /** Drops the oldest entries up to the first that is in use. */
  dropUnused(isUsed: (position: number, number: PullRequestNumber) => boolean): void {
    let unused = 0
    for (const [position, number] of this.entries()) {
      if (isUsed(position, number)) break
      unused++
    }
    if (unused === 0) return
    this.#numbers = this.#numbers.slice(unused)
    this.#first += unused
  }
}

export type Forgotten = {
  /** The position of the first entry that is kept. */
  readonly first: number
  /** The instant at which the last of the forgotten pull requests left; 0 if none is forgotten. */
  readonly forgottenUntil: Millis
}
