/** The test runs of those whose stories are kept, each with the slot it took. */

import type { Event, PullRequestNumber, TestRun, TestRunId } from '../../../engine/index.ts'
import type { Book, EndedRun } from '../../result/book.ts'
import type { Culprits } from '../../why/culprits.ts'

export type RecordedRun = {
  readonly run: TestRun
  readonly kind: 'main' | 'bisection'
  /** Counted from 0: the lowest that was free. */
  readonly slot: number
  readonly culprits: Culprits
  end: Pick<EndedRun, 'at' | 'outcome' | 'cause' | 'flaked'> | null
}

type Asked = {
  readonly culpritsOf: (run: TestRun) => Culprits
  readonly isTold: (number: PullRequestNumber) => boolean
}

/** Above this many, those that nobody asks about any more are dropped. */
const mostRuns = 20_000

export class RunsBook implements Book {
  readonly #asked: Asked
  readonly #runs = new Map<TestRunId, RecordedRun>()
  readonly #slots = { main: new Slots(), bisection: new Slots() }

  constructor(asked: Asked) {
    this.#asked = asked
  }

  see(event: Event): void {
    if (event.type !== 'testRunStarted') return
    const { run } = event
    const { kind } = run.owner
    const slot = this.#slots[kind].take(run.id)
    if (!this.#isTold(run)) return
    if (this.#runs.size >= mostRuns) this.#tidy()
    this.#runs.set(run.id, { run, kind, slot, culprits: this.#asked.culpritsOf(run), end: null })
  }

  seeEnd({ run, at, outcome, cause, flaked }: EndedRun): void {
    this.#slots[run.owner.kind].free(run.id)
    const recorded = this.#runs.get(run.id)
    if (recorded) recorded.end = { at, outcome, cause, flaked }
  }

  /** Those that test somebody in `told`, by id. */
  of(told: ReadonlySet<PullRequestNumber>): RecordedRun[] {
    return [...this.#runs.values()].filter(({ run }) =>
      run.tested.some((number) => told.has(number)),
    )
  }

  #isTold({ tested }: TestRun): boolean {
    return tested.some(this.#asked.isTold)
  }

  #tidy(): void {
    for (const [id, { run }] of this.#runs) {
      if (!this.#isTold(run)) this.#runs.delete(id)
    }
  }
}

/** Which slot each run under way takes. The engine only counts them; a picture needs places. */
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
