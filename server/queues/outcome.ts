/** What became of a command that was sent to a queue, or to the server. */

import type { Event, Millis, Rejection } from '../../engine/index.ts'
import type { QueueRef } from '../identity/queue-ref.ts'
import type { Notice } from '../notices/event-types.ts'

/** Why a command was rejected before it reached an engine. */
export type ManagerRejection =
  | { readonly code: 'no such queue'; readonly queue: QueueRef }
  | { readonly code: 'queue exists'; readonly queue: QueueRef }
  | { readonly code: 'queue is not empty'; readonly count: number }
  | { readonly code: 'no such test case'; readonly testCase: string }

export type ManagerOutcome =
  | {
      readonly accepted: true
      readonly at: Millis
      readonly events: readonly Event[]
      /** What webhooks tell about it. */
      readonly notices: readonly Notice[]
    }
  | { readonly accepted: false; readonly rejection: Rejection | ManagerRejection }

export function done(
  at: Millis,
  events: readonly Event[] = [],
  notices: readonly Notice[] = [],
): ManagerOutcome {
  return { accepted: true, at, events, notices }
}

export function rejected(rejection: ManagerRejection): ManagerOutcome {
  return { accepted: false, rejection }
}
