/**
 * What the live page gets: the shapes of a frame of the stream. Only types, so the browser code and the
 * server share them. It is no promise to other clients: those use the HTTP API.
 *
 * Instants are ISO 8601 with milliseconds; lengths of time are in minutes.
 */

import type { PullRequestState, QueueState } from '../../engine/index.ts'
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
