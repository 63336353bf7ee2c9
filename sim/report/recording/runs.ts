/** The test runs of the pull requests whose stories are kept, each with its slot. */

import type { Event, PullRequestNumber, TestRun, TestRunId } from '../../../engine/index.ts'
import type { ResultProjection, EndedRun } from '../../result/result-projection.ts'
import type { Culprits } from '../../explain/sentences.ts'

export type RecordedRun = {
  readonly run: TestRun
  /** The lowest free slot at the start of the run, counted from 0. */
  readonly slot: number
  readonly culprits: Culprits
  end: Pick<EndedRun, 'at' | 'outcome' | 'cause' | 'flaked'> | null
}

type RunQueries = {
  readonly culpritsOf: (run: TestRun) => Culprits
  readonly isShown: (number: PullRequestNumber) => boolean
}

/** Above this many, runs of pull requests that are no longer shown are dropped. */
const mostRuns = 20_000

export class RunsProjection implements ResultProjection {
  readonly #queries: RunQueries
  readonly #runs = new Map<TestRunId, RecordedRun>()
  readonly #slots = { main: new Slots(), bisection: new Slots(), tip: new Slots() }

  constructor(queries: RunQueries) {
    this.#queries = queries
  }

  onEvent(event: Event): void {
    if (event.type !== 'testRunStarted') return
    const { run } = event
    const slot = this.#slots[run.owner.kind].take(run.id)
    if (!this.#isShown(run)) return
    if (this.#runs.size >= mostRuns) this.#tidy()
    this.#runs.set(run.id, { run, slot, culprits: this.#queries.culpritsOf(run), end: null })
  }

  onRunEnd({ run, at, outcome, cause, flaked }: EndedRun): void {
    this.#slots[run.owner.kind].free(run.id)
    const recorded = this.#runs.get(run.id)
    if (recorded) recorded.end = { at, outcome, cause, flaked }
  }

  /** Returns the runs that test a pull request in `shown`, by id. */
  of(shown: ReadonlySet<PullRequestNumber>): RecordedRun[] {
    return [...this.#runs.values()].filter(({ run }) =>
      run.tested.some((number) => shown.has(number)),
    )
  }

  #isShown({ tested }: TestRun): boolean {
    return tested.some(this.#queries.isShown)
  }

  #tidy(): void {
    for (const [id, { run }] of this.#runs) {
      if (!this.#isShown(run)) this.#runs.delete(id)
    }
  }
}

/** Assigns a slot to each run in progress. The engine only counts slots; the timeline numbers them. */
class Slots {
  readonly #taken: (TestRunId | null)[] = []

  take(run: TestRunId): number {
    const free = this.#taken.indexOf(null)
    const slot = free === -1 ? this.#taken.length : free
    this.#taken[slot] = run
    return slot
  }

  free(run: TestRunId): void {
    const slot = this.#taken.indexOf(run)
    if (slot !== -1) this.#taken[slot] = null
  }
}

// How a run ended, as its colour.

/** The colours of runs and their words, in the order of the legend. */
export const runStyles = {
  passed: { color: 'merged', means: 'passed' },
  failed: { color: 'failed', means: 'failed' },
  flaked: { color: 'held', means: 'flaked' },
  cancelled: { color: 'cancelled', means: 'cancelled' },
  lost: { color: 'soft', means: 'lost or timed out' },
} as const

export type RunStyle = keyof typeof runStyles

export function runStyleOf({ end }: RecordedRun): RunStyle {
  if (!end || end.outcome === 'cancelled') return 'cancelled'
  if (end.outcome === 'errored' || end.outcome === 'timed_out') return 'lost'
  return end.flaked ? 'flaked' : end.outcome
}
