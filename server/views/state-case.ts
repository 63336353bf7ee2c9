/**
 * The letter case of states on the wire: upper case as in the interface document, or lower case as
 * clients of the hosted service expect. The start option `--state-case` selects it.
 */

import type { PullRequestState, QueueState } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'

export const stateCases = ['upper', 'lower'] as const
export type StateCase = (typeof stateCases)[number]

type State = PullRequestState | QueueState

const lower = {
  NOT_READY: 'not_ready',
  PENDING: 'pending',
  TESTING: 'testing',
  TESTS_PASSED: 'tests_passed',
  MERGED: 'merged',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  PENDING_FAILURE: 'pending_failure',
  RUNNING: 'running',
  PAUSED: 'paused',
  DRAINING: 'draining',
  SWITCHING_MODES: 'switching_modes',
} as const satisfies Record<State, wire.PullRequestState | wire.QueueState>

export function inCase<Each extends State>(
  state: Each,
  stateCase: StateCase,
): Each | (typeof lower)[Each] {
  return stateCase === 'upper' ? state : lower[state]
}
