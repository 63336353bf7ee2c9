/**
 * What the live page asks for besides the stream, and what it sends: the bodies of the endpoints under
 * `/page/`. Only types, so the browser code and the server share them.
 */

import type { PullRequestState } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import type { EndedRow, Estimate, QueueHead, Row, RunRow } from './frame.ts'

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
