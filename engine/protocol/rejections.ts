/** The reasons why a command was rejected. A rejected command has changed nothing. */

import type { QueueState } from '../model/queue-state.ts'
import type { PullRequestNumber, PullRequestView } from '../model/state.ts'

export type Rejection =
  /** The pull request is not in the queue. */
  | { readonly code: 'not in queue'; readonly number: PullRequestNumber }
  /** The pull request has no test run that could be restarted. */
  | {
      readonly code: 'nothing to restart'
      readonly number: PullRequestNumber
      readonly state: PullRequestView['state']
    }
  /** It would depend on itself through these, from it to it. */
  | {
      readonly code: 'depends on itself'
      readonly number: PullRequestNumber
      readonly through: readonly PullRequestNumber[]
    }
  /** The merge of the pull request has begun; or the engine did not request a merge of it. */
  | { readonly code: 'merge under way'; readonly number: PullRequestNumber }
  | { readonly code: 'no merge under way'; readonly number: PullRequestNumber }
  /** The test run is over or never started, so its result is ignored. */
  | { readonly code: 'test run is over' }
  /** The run does not hold the pull request, or not below the one that conflicts with it. */
  | { readonly code: 'not in the test run'; readonly number: PullRequestNumber }
  /** The test has no entry in the quarantine; or the queue has too many entries. */
  | { readonly code: 'not in quarantine'; readonly test: string }
  | { readonly code: 'quarantine is full' }
  /** A code host is attached only while nobody is in the line or in a bisection. */
  | { readonly code: 'line is not empty' }
  /** `state` and `mode` cannot be changed while the queue switches modes. */
  | { readonly code: 'switching modes' }
  /** A change of mode while the line is not empty needs a RUNNING queue. */
  | { readonly code: 'mode change needs RUNNING'; readonly state: QueueState }
