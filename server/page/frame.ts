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

export type { Estimate, Quarantine }

/** A stream begins with a `whole`, and after a gap gets another one. */
export type WholeFrame = FrameHead & {
  readonly kind: 'whole'
  readonly queue: QueueHead
  /** Everybody in the queue by number, and who ended lately; at most 200 of those that wait. */
  readonly rows: readonly Row[]
  readonly line: Line
  readonly waiting: Waiting
  readonly ended: readonly EndedRow[]
}

/** What has changed since the frame before. A part that has not changed is absent. */
export type ChangeFrame = FrameHead & {
  readonly kind: 'change'
  readonly queue?: QueueHead
  readonly rows: readonly Row[]
  readonly gone: readonly number[]
  readonly line?: Line
  readonly waiting?: Waiting
  /** New ones, newest first. */
  readonly ended: readonly EndedRow[]
}

export type Frame = WholeFrame | ChangeFrame

type FrameHead = {
  /** The last command that the frame shows. */
  readonly sequence: number
  /** The server's clock: the page counts elapsed time from it. */
  readonly now: string
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
}

/** A pull request. The public view has no field of `MemberDetails`. */
export type Row = {
  readonly number: number
  readonly state: PullRequestState
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
  readonly outcome: 'passed' | 'failed' | 'errored' | 'cancelled' | null
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

export type EndedRow = {
  readonly number: number
  readonly state: 'MERGED' | 'FAILED' | 'CANCELLED'
  readonly at: string
  readonly minutesInQueue: number
  readonly why: string
  readonly member?: {
    readonly title: string
    readonly failedIn: string | null
    readonly passedWithout: string | null
    readonly failedTests: readonly string[]
  }
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
  /** Who lands next, and when if that is known; null: nobody is in the queue who is ready. */
  readonly next: { readonly number: number; readonly estimate: Estimate | null } | null
  readonly lastFailure: Pick<EndedRow, 'number' | 'at' | 'why'> | null
}

/** `GET /page/pull-request?queue=&number=`. */
export type PullRequestPage = {
  readonly sequence: number
  readonly now: string
  readonly queue: QueueHead
  /** Its row; the state of the last submission if it has left the queue. */
  readonly row: Row
  /** How the last submission ended; null while it is in the queue. */
  readonly ended: EndedRow | null
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
  readonly earlier: readonly EarlierSubmission[]
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
  readonly ofBisection: number | null
}

/** `GET /page/run?queue=&run=`: a run and the end of its output, for members. */
export type RunPage = {
  readonly now: string
  readonly run: PullRequestRun
  readonly log: string
  /** The length of all of it. */
  readonly bytes: number
  /** Why there is no output, in a sentence; null if there is. */
  readonly noLog: string | null
}

export type EarlierSubmission = {
  readonly submittedAt: string
  readonly endedAt: string
  readonly state: EndedRow['state']
  readonly why: string
}

/** The body of `POST /page/act`; it answers like the operation: a status, and `{error}` if refused. */
export type Act = { readonly queue: string } & (
  | { readonly action: 'submit'; readonly number: number; readonly noBatch?: boolean }
  | { readonly action: 'submit'; readonly branch: string; readonly noBatch?: boolean }
  | { readonly action: 'cancel' | 'restart'; readonly number: number }
  | {
      readonly action: 'priority'
      readonly number: number
      readonly priority: 'low' | 'medium' | 'high' | 'urgent'
    }
  | { readonly action: 'pause' | 'resume' | 'drain' }
  | { readonly action: 'settings'; readonly settings: Settings }
)

/** The settings that the page can change, with their names of the API. */
export type Settings = {
  readonly mode?: 'single' | 'parallel'
  readonly concurrency?: number
  readonly batch?: boolean
  readonly batchingMinSize?: number
  readonly batchingMaxWaitTimeMinutes?: number
}
