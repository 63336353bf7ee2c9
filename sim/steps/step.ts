/** One accepted command and its events, as every observer of a run receives them. */

import type { Command, Event, PullRequestState, QueueView } from '../../engine/index.ts'

/**
 * When the engine crashes: after the ports have received the effects of the command (`published`),
 * or before that (`unpublished`).
 */
export type CrashKind = 'published' | 'unpublished'

export type Step = {
  /** How many events the engine had published before this command. */
  readonly sequence: number
  readonly command: Command
  readonly events: readonly Event[]
  /** In a recording: the name of the token that sent the command. */
  readonly by?: string
  /**
   * The queue after the command, when no rule acts any more. The engine changes this object later:
   * copy values that are needed after the step.
   */
  readonly queue: QueueView
  /** Set if the engine crashes after this command; it is rebuilt before the next one. */
  readonly crash?: CrashKind
}

/** A step as properties see it. They look at several steps together, when the queue has gone on. */
export type SeenStep = Omit<Step, 'queue'>

// The states of a pull request, as E-15 and E-16 give them.

/** Whether a pull request in this state has left the queue. */
export function isTerminal(state: PullRequestState): boolean {
  return state === 'MERGED' || state === 'FAILED' || state === 'CANCELLED'
}
