/** The states of a pull request, as E-15 and E-16 give them. */

import type { PullRequestState } from '../../engine/index.ts'

/** Whether a pull request in this state has left the queue. */
export function isTerminal(state: PullRequestState): boolean {
  return state === 'MERGED' || state === 'FAILED' || state === 'CANCELLED'
}
