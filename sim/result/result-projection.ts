/** The common interface of the projections of a run. Each builds one part of the result. */

import type { Event, EventOf, Millis, QueueView, TestRun, TestRunId } from '../../engine/index.ts'

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

export class RunTracker {
  readonly #inProgress = new Map<TestRunId, TestRun>()
  readonly #isFlake: (testRun: TestRunId) => boolean

  constructor(isFlake: (testRun: TestRunId) => boolean) {
    this.#isFlake = isFlake
  }

  /** Handles an event. Returns the test run that ends with it; null if none does. */
  onEvent(event: Event, at: Millis): EndedRun | null {
    if (event.type === 'testRunStarted') {
      this.#inProgress.set(event.run.id, event.run)
      return null
    }
    if (event.type !== 'testRunFinished' && event.type !== 'testRunCancelled') return null
    const run = this.#inProgress.get(event.testRun)
    if (!run) return null
    this.#inProgress.delete(run.id)
    const outcome = event.type === 'testRunFinished' ? event.outcome : 'cancelled'
    return {
      run,
      at,
      lengthMs: at - run.startedAt,
      outcome,
      cause: event.type === 'testRunCancelled' ? event.cause : null,
      flaked: outcome === 'failed' && this.#isFlake(run.id),
    }
  }
}
