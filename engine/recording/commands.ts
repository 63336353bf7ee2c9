/**
 * Everything that can stand in a recording: the engine's commands for one queue, with what only a
 * server keeps (commits, addresses), and those that make and end queues and link tickets. Every
 * field here is a promise to recordings made long ago.
 */

import type { Millis, TestName } from '../model/state.ts'
import type {
  CommandBody,
  FinishTestRun,
  SetImpactedTargets,
  SubmitPullRequest,
  UpdateQueue,
} from '../protocol/commands.ts'

export type QueueSettings = UpdateQueue['set']

export type CreateQueue = {
  readonly type: 'createQueue'
  /** A random uuid: what ids in this queue are made of. */
  readonly incarnation: string
  readonly set: QueueSettings
  /** Merges are asked of a code host and answered with `finishMerge`. Left out: they just happen. */
  readonly codeHost?: 'answers'
}

export type DeleteQueue = { readonly type: 'deleteQueue' }

/** Test names out of a report that came after its run was over. */
export type RecordTestCases = {
  readonly type: 'recordTestCases'
  readonly tests: readonly TestName[]
}

/** Of a repository, not of a queue. */
export type LinkTicket = {
  readonly type: 'linkTicket'
  readonly repository: { readonly host: string; readonly owner: string; readonly name: string }
  readonly testCase: string
  readonly ticket: string
}

type Told<Command> = Command & {
  /** The head commit of the pull request. */
  readonly sha?: string
}

/** What a queue's engine is told. */
export type EngineCommand =
  | Exclude<CommandBody, SubmitPullRequest | SetImpactedTargets | FinishTestRun>
  | Told<SubmitPullRequest>
  | Told<SetImpactedTargets>
  | (FinishTestRun & {
      /** Where a person can look at the run. */
      readonly url?: string
    })

export type RecordedCommand =
  EngineCommand | CreateQueue | DeleteQueue | RecordTestCases | LinkTicket

/** A line of the command log. */
export type Entry = {
  /** From 1, without a gap. */
  readonly sequence: number
  readonly at: Millis
  /** `github.com/acme/shop:main`; null for what belongs to no queue. */
  readonly queue: string | null
  readonly command: RecordedCommand
}
