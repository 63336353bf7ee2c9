/** The phase of a pull request, which is its colour in a report. */

import {
  isTerminal,
  type Event,
  type PullRequestNumber,
  type PullRequestView,
} from '../../../engine/index.ts'

/** The phases, in the usual order; `held` and `bisecting` occur only after a failure. */
export const phases = ['notReady', 'waiting', 'testing', 'passed', 'held', 'bisecting'] as const
export type Phase = (typeof phases)[number]

/** Returns the phase of a pull request; null if it is not in the queue. */
export function phaseOf(pullRequest: PullRequestView | undefined): Phase | null {
  if (!pullRequest || isTerminal(pullRequest.state)) return null
  if (pullRequest.home.in === 'bisection') return 'bisecting'
  switch (pullRequest.state) {
    case 'NOT_READY':
      return 'notReady'
    case 'PENDING':
      return 'waiting'
    case 'TESTING':
      return 'testing'
    case 'TESTS_PASSED':
      return 'passed'
    case 'PENDING_FAILURE':
      return 'held'
  }
}

/** Returns the pull requests whose phase the event may have changed. */
export function movedBy(event: Event): readonly PullRequestNumber[] {
  if (event.type === 'pullRequestSubmitted' || event.type === 'pullRequestMoved') {
    return [event.number]
  }
  return event.type === 'groupPlaced' || event.type === 'bisectionStarted' ? event.members : []
}
