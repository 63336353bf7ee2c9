/** The common interface of the projections of a run. Each builds one part of the result. */

import type { Event, EventOf, Millis, QueueView, TestRun } from '../../engine/index.ts'

/** A test run that has ended. */
export type EndedRun = {
  readonly run: TestRun
  readonly at: Millis
  readonly lengthMs: Millis
  readonly outcome: EventOf<'testRunFinished'>['outcome'] | 'cancelled'
  /** Why the run was cancelled; null if it was not. */
  readonly cause: EventOf<'testRunCancelled'>['cause'] | null
  /** True if the run failed only because of a flake. */
  readonly flaked: boolean
}

/** The time of an event, and the queue after the whole command. */
export type ResultContext = { readonly at: Millis; readonly queue: QueueView }

export type ResultProjection = {
  /** Called for every event. */
  onEvent?(event: Event, context: ResultContext): void
  /** Called for every test run that ended or was cancelled, before `onEvent`. */
  onRunEnd?(ended: EndedRun): void
}
