import type { Event, Millis, TestRun, TestRunId } from '../../engine/index.ts'
import type { EndedRun } from './result-projection.ts'

/** Tracks the test runs in progress and returns each one that ends. */
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
