/**
 * How each state looks. A state has a word, a mark of its own shape and a colour, so that nobody needs
 * the colour.
 */

import type { PullRequestState } from '../../../../engine/index.ts'
import type { GroupRow } from '../../frame.ts'

export type Look =
  | 'not-ready'
  | 'waiting'
  | 'testing'
  | 'passed'
  | 'held'
  | 'bisecting'
  | 'merged'
  | 'failed'
  | 'conflicted'
  | 'lost'
  | 'cancelled'

export const words: Readonly<Record<Look, string>> = {
  'not-ready': 'not ready',
  waiting: 'waiting',
  testing: 'testing',
  passed: 'passed',
  held: 'held',
  bisecting: 'bisecting',
  merged: 'merged',
  failed: 'failed',
  conflicted: 'conflict',
  lost: 'lost run',
  cancelled: 'cancelled',
}

const ofStates: Readonly<Record<PullRequestState, Look>> = {
  NOT_READY: 'not-ready',
  PENDING: 'waiting',
  TESTING: 'testing',
  TESTS_PASSED: 'passed',
  PENDING_FAILURE: 'held',
  MERGED: 'merged',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
}

/** The look of a pull request. In a bisection it is bisecting, whatever its state. */
export function lookOf(state: PullRequestState, isBisected: boolean): Look {
  return isBisected ? 'bisecting' : ofStates[state]
}

/** The look of a group. The phase has the same word as the look, except that a failed group is held. */
export function groupLook({ phase }: Pick<GroupRow, 'phase'>): Look {
  return phase === 'failed' ? 'held' : phase
}

const ofOutcomes = {
  passed: 'passed',
  failed: 'failed',
  timed_out: 'failed',
  errored: 'lost',
  cancelled: 'cancelled',
} as const

export function runLook({ outcome }: { outcome: keyof typeof ofOutcomes | null }): Look {
  return outcome === null ? 'testing' : ofOutcomes[outcome]
}
