/** Why a command was refused, as a value: nothing has happened then. */

import type { QueueState } from '../model/queue-state.ts'
import type { PullRequestNumber, PullRequestView } from '../model/state.ts'

export type Rejection =
  /** The pull request is not in the queue now. */
  | { readonly code: 'not in queue'; readonly number: PullRequestNumber }
  /** There is no test run of it that could be restarted. */
  | {
      readonly code: 'nothing to restart'
      readonly number: PullRequestNumber
      readonly state: PullRequestView['state']
    }
  /** Its merge is under way, or a result for it is not wanted (any more). */
  | { readonly code: 'merge under way'; readonly number: PullRequestNumber }
  | { readonly code: 'no merge under way'; readonly number: PullRequestNumber }
  /** The test run is over, or was never started: its result is ignored. */
  | { readonly code: 'test run is over' }
  /** `state` and `mode` cannot be written while the queue switches modes. */
  | { readonly code: 'switching modes' }
  /** A mode change with work in the line needs a RUNNING queue. */
  | { readonly code: 'mode change needs RUNNING'; readonly state: QueueState }
