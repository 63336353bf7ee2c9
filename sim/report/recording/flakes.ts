/** Counts the runs that failed because of flakes, by test. */

import type { Event, Millis, PullRequestNumber } from '../../../engine/index.ts'
import type { ResultProjection, EndedRun } from '../../result/result-projection.ts'
import { Kept } from './kept.ts'

export type Flaky = {
  /** Null for runs that failed without naming a test. */
  readonly test: string | null
  /** Runs that failed because of this test, alone or with other flaky tests, and their time. */
  readonly failedRuns: number
  readonly ms: Millis
  /** How often the test passed on a retry within a run. */
  readonly retried: number
  /** The pull requests that the failed runs tested. */
  readonly members: Kept
}

type More = Pick<Flaky, 'failedRuns' | 'ms' | 'retried'>

export class FlakesProjection implements ResultProjection {
  readonly #tests = new Map<string | null, Flaky>()
  /** Failures that the queue itself recognised as flakes. */
  recognised = 0
  #ended: EndedRun | null = null

  onRunEnd(ended: EndedRun): void {
    this.#ended = ended
  }

  onEvent(event: Event): void {
    if (event.type === 'testRunFinished' && this.#ended?.flaked === true) {
      const { lengthMs, run } = this.#ended
      const names = event.failedTests.map(({ name }) => name)
      for (const test of names.length > 0 ? names : [null]) {
        this.#count(test, { failedRuns: 1, ms: lengthMs, retried: 0 }, run.tested)
      }
    } else if (event.type === 'verdictContradicted') {
      this.recognised++
    }
    this.#ended = null
  }

  /** Called if a test failed, and passed when the runner retried it within the run. */
  onRetried(test: string): void {
    this.#count(test, { failedRuns: 0, ms: 0, retried: 1 }, [])
  }

  /** The flaky tests, sorted by failed runs, most first. */
  get flaky(): Flaky[] {
    return [...this.#tests.values()].sort(
      (a, b) => b.failedRuns - a.failedRuns || b.retried - a.retried || byName(a.test, b.test),
    )
  }

  #count(test: string | null, more: More, tested: readonly PullRequestNumber[]): void {
    const {
      failedRuns = 0,
      ms = 0,
      retried = 0,
      members = new Kept(),
    } = this.#tests.get(test) ?? {}
    members.add(tested)
    this.#tests.set(test, {
      test,
      failedRuns: failedRuns + more.failedRuns,
      ms: ms + more.ms,
      retried: retried + more.retried,
      members,
    })
  }
}

const byName = (a: string | null, b: string | null): number => ((a ?? '') < (b ?? '') ? -1 : 1)
