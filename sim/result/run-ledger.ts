import type { Event, Millis, TestRun, TestRunId } from '../../engine/index.ts'
import type { EndedRun } from './book.ts'

/** The test runs under way, and what each was when it ended. */
export class RunLedger {
  readonly #underWay = new Map<TestRunId, TestRun>()
  readonly #isFlake: (testRun: TestRunId) => boolean

  constructor(isFlake: (testRun: TestRunId) => boolean) {
    this.#isFlake = isFlake
  }

  /** The run that ends with this event, if one does. */
  see(event: Event, at: Millis): EndedRun | null {
    if (event.type === 'testRunStarted') {
      this.#underWay.set(event.run.id, event.run)
      return null
    }
    if (event.type !== 'testRunFinished' && event.type !== 'testRunCancelled') return null
    const run = this.#underWay.get(event.testRun)
    if (!run) return null
    this.#underWay.delete(run.id)
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

  /** Those that had not ended when the run of the scenario broke off. */
  get leftOver(): readonly TestRun[] {
    return [...this.#underWay.values()]
  }
}
