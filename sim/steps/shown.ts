/** What the queue shows after a command, of what the command was about. */

import type {
  Event,
  GroupId,
  PullRequestNumber,
  PullRequestState,
  QueueView,
} from '../../engine/index.ts'

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
