/** What the small readers of a run have in common: each keeps one part of the result. */

import type { Event, EventOf, Millis, QueueView, TestRun } from '../../engine/index.ts'

/** A test run that is over. */
export type EndedRun = {
  readonly run: TestRun
  readonly at: Millis
  readonly lengthMs: Millis
  readonly outcome: EventOf<'testRunFinished'>['outcome'] | 'cancelled'
  /** Why it was cancelled. */
  readonly cause: EventOf<'testRunCancelled'>['cause'] | null
  /** It failed, and would not have without a flake. */
  readonly flaked: boolean
}

/** Where an event was seen; the queue is as it is after the whole command. */
export type Seen = { readonly at: Millis; readonly queue: QueueView }

export type Book = {
  /** Every event. */
  see?(event: Event, seen: Seen): void
  /** Every test run that has ended or was cancelled, before `see` hears of it. */
  seeEnd?(ended: EndedRun): void
}
