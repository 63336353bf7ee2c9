/**
 * The commands that a recording can contain: the engine's commands for one queue with fields that
 * only a server stores (commits, addresses), and the commands that create and delete queues and
 * link tickets. All fields must stay, because old recordings contain them.
 */

import type { Millis, TestName } from '../model/state.ts'
import type {
  CommandBody,
  FinishMerge,
  FinishTestRun,
  ReportManualMerge,
  ReportPullRequest,
  ReportPush,
  ReportUnbuildable,
  SetImpactedTargets,
  SubmitPullRequest,
  UpdateQueue,
} from '../protocol/commands.ts'

export type RecordedSettings = UpdateQueue['set']

export type CreateQueue = {
  readonly type: 'createQueue'
  /** A random UUID from which the ids in this queue are derived. */
  readonly incarnation: string
  readonly set: RecordedSettings
  /**
   * Merges are requested from a code host, one by one or a group at a time (`groups`). If missing,
   * merges succeed at once.
   */
  readonly codeHost?: 'answers' | 'groups'
}

export type DeleteQueue = { readonly type: 'deleteQueue' }

/** Test names from a result that arrived after its run was over. */
export type RecordTestCases = {
  readonly type: 'recordTestCases'
  readonly tests: readonly TestName[]
}

/** Links a test case to a ticket. It belongs to a repository, not to a queue. */
export type LinkTicket = {
  readonly type: 'linkTicket'
  readonly repository: { readonly host: string; readonly owner: string; readonly name: string }
  readonly testCase: string
  readonly ticket: string
}

/**
 * The commit on which the target branch was when the queue began to work on a repository. Every later
 * tip has its commit from the command that moved it.
 */
export type ReportTip = { readonly type: 'reportTip'; readonly commit: string }

/** What is merged if a pull request merges: frozen with its submission. */
export type PullSnapshot = {
  /** The head commit. */
  readonly head: string
  readonly title: string
  readonly body: string
  readonly author: { readonly name: string; readonly email: string }
  /** Where the head was seen: `refs/pull/7/head`, `refs/heads/queue/fix`. */
  readonly ref: string
  /** How often its host had seen it closed, made a draft or given another base; absent: not asked. */
  readonly departures?: number
  /** The branch of another pull request that is its base on the host; absent: its base is the target branch. */
  readonly base?: string
  /** The pull requests that it is built on, as its base or its commits say; absent: none is known. */
  readonly on?: readonly number[]
  /** Others that it depends on, as its request, its description or its host say; absent: nobody names any. */
  readonly after?: readonly number[]
}

/** Why the server has paused a queue by itself. */
export type PausedFor = {
  readonly words: string
  /**
   * When it goes on: by itself when the merge that was refused lands or is no longer asked for, when the same is true
   * of the branch of a test run, when the branch or the checks that it asks for have changed, or when a start names its
   * repository again; or when somebody resumes it.
   */
  readonly until: 'landed' | 'placed' | 'changed' | 'named' | 'resumed'
  /** The branch and the checks as they were, as a text. */
  readonly of?: string
}

type WithHeadCommit = {
  /** The head commit of the pull request. */
  readonly sha?: string
}
type WithCommit = {
  /** The commit on the target branch, or the commit that was tested. */
  readonly commit?: string
}
type WithWords = {
  /** Why it was refused, in the words of git or the host. */
  readonly words?: string
}
/** What keeps a pull request from being mergeable, each in the words of git or the host. */
export type HeldFor = Readonly<Partial<Record<'conflict' | 'approval', string>>>
type WithObstacles = {
  /** Absent: nothing does, or nobody told. */
  readonly heldFor?: HeldFor
}
type WithDescription = {
  readonly title?: string
  readonly author?: string
  /** The branch into which it is to merge. */
  readonly base?: string
}

/** What the server keeps of some commands beside the fields that the engine reads. A log calls a snapshot `card`. */
type WithMore =
  | (SubmitPullRequest & { readonly card?: PullSnapshot })
  | (SetImpactedTargets & WithHeadCommit)
  | (FinishTestRun &
      WithCommit & {
        /** The address of a page about the run. */
        readonly url?: string
      })
  | (ReportPullRequest & WithDescription & WithObstacles)
  | (ReportPush & WithCommit)
  | (ReportManualMerge & WithCommit)
  | (ReportUnbuildable & WithWords)
  | (FinishMerge &
      WithWords & {
        /** The commit of each pull request that landed, in order. */
        readonly commits?: readonly string[]
      })
  | (UpdateQueue & {
      /** Why the server itself pauses the queue. */
      readonly pausedFor?: PausedFor
      /** The server has derived a setting that nobody has set. */
      readonly isDerived?: true
    })

/** The commands that are dispatched to the engine of a queue. */
export type EngineCommand = Exclude<CommandBody, { readonly type: WithMore['type'] }> | WithMore

export type RecordedCommand =
  | EngineCommand
  | CreateQueue
  | DeleteQueue
  | RecordTestCases
  | LinkTicket
  | ReportTip

/** Who sent a command. It is a note beside the command: the state never depends on it. */
export type Actor = {
  /** The name of the token, never its secret. */
  readonly token: string
  /** The id of the request. */
  readonly request: string
}

/** A line of the command log. */
export type LogEntry = {
  /** Starts at 1 and has no gap. */
  readonly sequence: number
  readonly at: Millis
  /** For example `github.com/acme/shop:main`; null for a command that belongs to no queue. */
  readonly queue: string | null
  readonly command: RecordedCommand
  /** A checksum of the events, which proves a later replay; since version 2. */
  readonly proof?: string
  /** Missing for commands that time caused, and in old logs. */
  readonly by?: Actor
  /** It begins this epoch: in a log of several servers, of which none can begin a segment. */
  readonly epoch?: string
}
