/** Which tests failed for no reason, and what that cost. */

import type { Event, Millis } from '../../../engine/index.ts'
import type { Book, EndedRun } from '../../result/book.ts'

export type Flaky = {
  /** Null for runs that failed without naming a test. */
  readonly test: string | null
  /** Runs that failed for it alone or with other flaking tests, and how long they took. */
  readonly failedRuns: number
  readonly ms: Millis
  /** How often it passed when it was tried again within a run. */
  readonly retried: number
}

export class FlakesBook implements Book {
  readonly #tests = new Map<string | null, Flaky>()
  /** Failures that the queue itself found out to be none. */
  recognised = 0
  #ended: EndedRun | null = null

  seeEnd(ended: EndedRun): void {
    this.#ended = ended
  }

  see(event: Event): void {
    if (event.type === 'testRunFinished' && this.#ended?.flaked === true) {
      const { lengthMs } = this.#ended
      const names = event.failedTests.map(({ name }) => name)
      for (const test of names.length > 0 ? names : [null]) {
        this.#count(test, { failedRuns: 1, ms: lengthMs, retried: 0 })
      }
    } else if (event.type === 'verdictContradicted') {
      this.recognised++
    }
    this.#ended = null
  }

  /** A test failed, and passed when the runner tried it again within the run. */
  seeRetried(test: string): void {
    this.#count(test, { failedRuns: 0, ms: 0, retried: 1 })
  }

  /** Those that failed most runs first. */
  get flaky(): Flaky[] {
    return [...this.#tests.values()].sort(
      (a, b) => b.failedRuns - a.failedRuns || b.retried - a.retried || order(a.test, b.test),
    )
  }

  #count(test: string | null, more: Omit<Flaky, 'test'>): void {
    const { failedRuns = 0, ms = 0, retried = 0 } = this.#tests.get(test) ?? {}
    this.#tests.set(test, {
      test,
      failedRuns: failedRuns + more.failedRuns,
      ms: ms + more.ms,
      retried: retried + more.retried,
    })
  }
}

const order = (a: string | null, b: string | null): number => ((a ?? '') < (b ?? '') ? -1 : 1)
