/** One accepted command and its events, as every observer of a run receives them. */

import type {
  Command,
  Event,
  GroupId,
  PullRequestNumber,
  PullRequestState,
  QueueView,
} from '../../engine/index.ts'

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
export type SeenStep = Omit<Step, 'queue'> & { readonly shown: Shown }

/** What the queue shows after a command, of what the command was about. */
export type ShownPullRequest = {
  readonly state: PullRequestState
  /** Whether it says that it is in a group which lists it too. */
  readonly isInGroup: boolean
}

/** A copy, because the engine changes the queue before the properties look. */
export type Shown = {
  /** The groups of the line, in order. */
  readonly line: readonly GroupId[]
  /** Those that the events submitted, moved, split from a group or put into a bisection. */
  readonly pullRequests: ReadonlyMap<PullRequestNumber, ShownPullRequest>
}

/** Copies what is shown of the pull requests that these events are about. */
export function shownAfter(events: readonly Event[], queue: QueueView): Shown {
  const pullRequests = new Map<PullRequestNumber, ShownPullRequest>()
  const copy = (number: PullRequestNumber): void => {
    const pullRequest = queue.pullRequests[number]
    if (!pullRequest) return
    const { state, home } = pullRequest
    const group = home.in === 'group' ? queue.groups[home.group] : undefined
    pullRequests.set(number, { state, isInGroup: group?.members.includes(number) === true })
  }
  for (const event of events) {
    const { type } = event
    if (type === 'pullRequestMoved' || type === 'pullRequestSubmitted') copy(event.number)
    else if (type === 'bisectionStarted' || type === 'groupSplit') {
      for (const number of event.members) copy(number)
    }
  }
  return { line: [...queue.line], pullRequests }
}

// The states of a pull request, as E-15 and E-16 give them.

/** Whether a pull request in this state has left the queue. */
export function isTerminal(state: PullRequestState): boolean {
  return state === 'MERGED' || state === 'FAILED' || state === 'CANCELLED'
}
