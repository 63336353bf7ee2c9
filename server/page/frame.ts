/**
 * What the live page gets: the shapes of a frame of the stream. Only types, so the browser code and the
 * server share them. It is no promise to other clients: those use the HTTP API.
 *
 * Instants are ISO 8601 with milliseconds; lengths of time are in minutes.
 */

import type { PullRequestState, QueueState } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import type { Quarantine } from '../contract/wire.ts'
import type { Estimate } from '../forecast/estimate.ts'
import type { PastRunOutcome } from '../history/records.ts'

export type { Estimate, Quarantine }

/** A stream begins with a `whole`, and after a gap gets another one; a `change` says what differs from the frame before. */
export type Frame = {
  readonly kind: 'whole' | 'change'
  /** The last command that the frame shows. */
  readonly sequence: number
  /** The server's clock: the page counts elapsed time from it. */
  readonly now: string
  readonly queue?: QueueHead
  readonly line?: Line
  readonly waiting?: Waiting
  /** Everybody in the queue, of those that wait at most 200; and who left lately, the oldest first. */
  readonly rows: readonly Row[]
  /** Those that are no longer listed. */
  readonly gone: readonly number[]
}

export type QueueHead = {
  readonly id: string
  readonly host: string
  readonly owner: string
  readonly name: string
  readonly targetBranch: string
  readonly state: QueueState
  /** Since when it is in this state, and who set it; null if unknown. */
  readonly stateSince: string | null
  readonly stateBy: string | null
  readonly mode: 'single' | 'parallel'
  readonly batching: { readonly size: number; readonly waitMinutes: number } | null
  readonly concurrency: number
  readonly slotsUsed: number
  /** What keeps this server from working on the queue, in sentences; empty if nothing does. */
  readonly faults: readonly string[]
  /** How one submits here, beside the page and the command line; for members. */
  readonly waysIn: readonly string[]
  /** Who lands next, and when if that is known; null: nobody is in the queue who is ready. */
  readonly next: { readonly number: number; readonly estimate: Estimate | null } | null
}

/** A pull request that is in the queue, or was. The public view has no field of `MemberDetails`. */
export type Row = {
  readonly number: number
  readonly state: PullRequestState
  /** A bisection looks whether it is a culprit; absent if none does. */
  readonly isBisected?: true
  readonly since: string
  readonly submittedAt: string
  readonly urgent: boolean
  /** The pull requests after which it lands; absent for none. */
  readonly dependsOn?: readonly number[]
  /** Those in the queue that depend on it; absent for none. */
  readonly dependents?: readonly number[]
  /** Why it is where it is, in one sentence; the public view names no person and no test. */
  readonly why: string
  readonly estimate: Estimate | null
  readonly member?: MemberDetails
}

export type MemberDetails = {
  readonly title: string
  readonly author: string
  readonly url: string | null
  readonly submittedBy: string | null
  readonly priority: number
  readonly noBatch: boolean
  /** The run that decided, the run without it, and the tests; absent for one that did not fail. */
  readonly evidence?: {
    readonly failedIn: string | null
    readonly passedWithout: string | null
    readonly failedTests: readonly string[]
  }
}

/** The line as it is tested, the one that merges first at the start. */
export type Line = {
  readonly groups: readonly GroupRow[]
  readonly bisections: readonly BisectionTree[]
}

export type GroupRow = {
  readonly id: number
  readonly members: readonly number[]
  readonly phase: 'waiting' | 'testing' | 'passed' | 'failed' | 'conflicted'
  readonly urgent: boolean
  readonly run: RunRow | null
  /** The groups ahead that it is tested on top of; parallel mode only. */
  readonly dependsOn: readonly number[]
  /** Its impacted targets, the first five; for members, in parallel mode. */
  readonly targets?: readonly string[]
}

export type RunRow = {
  readonly id: string
  readonly startedAt: string
  /** How long half of the recent runs took; null before there are some. */
  readonly expectedMinutes: number | null
  readonly outcome: PastRunOutcome | null
  /** A page about the run; for members, if somebody reported one. */
  readonly url?: string
}

export type BisectionTree = {
  readonly id: number
  /** The members of the batch that failed, in order. */
  readonly members: readonly number[]
  readonly steps: readonly BisectionStep[]
  readonly proven: readonly number[]
  readonly culprits: readonly number[]
}

export type BisectionStep = {
  readonly tested: readonly number[]
  readonly base: readonly number[]
  readonly run: RunRow
}

export type Waiting = {
  /** The first 200 in order. */
  readonly order: readonly number[]
  readonly total: number
}

/** The trends of a queue, one entry per hour, oldest first. */
export type Trends = {
  readonly hours: readonly TrendHour[]
  readonly flakyTests: readonly FlakyTestRow[]
  /** For members. */
  readonly quarantine: Quarantine | null
}

export type TrendHour = {
  readonly from: string
  readonly merged: number
  readonly failed: number
  readonly medianMinutes: number | null
  readonly p95Minutes: number | null
  readonly runsPassed: number
  readonly runsFailed: number
  /** Merged pull requests whose tests had failed on the same commit. */
  readonly healthyEvicted: number
}

export type FlakyTestRow = {
  readonly name: string
  readonly file: string
  readonly flakes: number
  readonly ticket: string | null
}

// What the live page asks for besides the stream, and what it sends: the bodies of the endpoints under
// `/page/`. Only types, so the browser code and the server share them.

/** `GET /page/me`. */
export type Me = {
  readonly signedIn: boolean
  readonly tokenName: string | null
  /** The scopes of the token; empty if nobody is signed in. */
  readonly scopes: readonly string[]
  /** True if the queues are shown without sign-in. */
  readonly publicPage: boolean
}

/** `GET /page/queues`. */
export type QueueList = { readonly queues: readonly QueueGlance[] }

/** A queue in the list. */
export type QueueGlance = QueueHead & {
  readonly inLine: number
  readonly waits: number
  readonly lastFailure: Row | null
}

/** `GET /page/pull-request?queue=&number=`. */
export type PullRequestPage = {
  /** Of its last submission. */
  readonly row: Row
  /** The runs that prove it, and which log tells most; null for strangers. */
  readonly why: wire.Why | null
  /** The last submission in sentences, oldest first. */
  readonly timeline: readonly TimelineStep[]
  /** The runs that it was part of, oldest first. */
  readonly runs: readonly PullRequestRun[]
  /** The unmerged pull requests below it, the one that merges first at the start. */
  readonly stoodOn: readonly number[]
  /** It, what it depends on and what depends on it, the lowest first; empty without others. */
  readonly stack: readonly StackedRow[]
  /** Earlier submissions, and how they ended. */
  readonly earlier: readonly Pick<Row, 'submittedAt' | 'since' | 'state' | 'why'>[]
}

type StackedRow = {
  readonly number: number
  /** Null: it was never submitted. */
  readonly state: PullRequestState | null
  readonly dependsOn: readonly number[]
  /** For members. */
  readonly member?: { readonly title: string }
}

export type TimelineStep = {
  readonly at: string
  /** One sentence. The public view names no person and no test. */
  readonly text: string
  readonly run: string | null
}

export type PullRequestRun = RunRow & {
  readonly endedAt: string | null
  readonly tested: readonly number[]
  readonly base: readonly number[]
  readonly isOfBisection: boolean
}

/** `GET /page/run?queue=&run=`: a run and the end of its output, for members. */
export type RunPage = {
  readonly run: PullRequestRun
  readonly log: string
  /** The length of all of it. */
  readonly bytes: number
  /** Why there is no output, in a sentence; null if there is. */
  readonly noLog: string | null
}

/** The body of `POST /page/act?queue=`: an operation of the API on that queue, which answers with its status, and `{error}` if refused. */
export type Act =
  | {
      readonly operation: 'submitPullRequest'
      readonly body: Submission &
        ({ readonly pr: wire.PullRequestRef } | { readonly branch: string })
    }
  | {
      readonly operation: 'cancelPullRequest' | 'restartTestsOnPullRequest'
      readonly body: { readonly pr: wire.PullRequestRef }
    }
  | { readonly operation: 'updateQueue'; readonly body: wire.QueueSettings }

type Submission = Pick<wire.SubmitPullRequest, 'noBatch' | 'priority'>
