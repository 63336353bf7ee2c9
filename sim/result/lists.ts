/** The lists of a result: the merge order, the pull requests and the test runs. */

import {
  type Event,
  type EventOf,
  type Millis,
  type PullRequestNumber,
  type PullRequestState,
  type Reason,
  isTerminal,
} from '../../engine/index.ts'
import { toMinutes } from '../scenario/time.ts'
import type { PullRequestResult } from './result-document.ts'
import type { EndedRun, ResultContext, ResultProjection } from './result-projection.ts'
import { TestRunList } from './test-run-list.ts'

export class ListsProjection implements ResultProjection {
  readonly mergeOrder: PullRequestNumber[] = []
  readonly pullRequests = new PullRequestList()
  readonly testRuns = new TestRunList()

  onEvent(event: Event, context: ResultContext): void {
    if (event.type === 'tipMoved' && event.number !== null) this.mergeOrder.push(event.number)
    this.pullRequests.onEvent(event, context)
  }

  onRunEnd(ended: EndedRun): void {
    this.testRuns.onRunEnd(ended)
  }
}

// The results of all pull requests. They are stored in columns to save memory, because there may be
// millions. A row has the same index in each column.

/** Marks a missing time. */
const never: Millis = -1

class PullRequestList implements ResultProjection {
  readonly #rows = new Map<PullRequestNumber, number>()
  readonly #numbers: PullRequestNumber[] = []
  readonly #states: PullRequestState[] = []
  readonly #reasons: (Reason | null)[] = []
  readonly #submittedAt: Millis[] = []
  readonly #startedAt: Millis[] = []
  readonly #concludedAt: Millis[] = []
  readonly #testRuns: number[] = []
  readonly #restarts: number[] = []

  onEvent(event: Event, { at }: ResultContext): void {
    if (event.type === 'pullRequestSubmitted') this.#submit(event, at)
    else if (event.type === 'pullRequestMoved') this.#move(event, at)
    else if (event.type === 'testRunStarted') {
      for (const number of event.run.tested) this.#start(this.#rowOf(number), at)
    }
  }

  /** Yields the results, sorted by pull request number. */
  *results(): Generator<PullRequestResult> {
    const rows = this.#numbers.map((_, row) => row)
    rows.sort((a, b) => (this.#numbers[a] ?? 0) - (this.#numbers[b] ?? 0))
    for (const row of rows) yield this.#resultOf(row)
  }

  #rowOf(number: PullRequestNumber): number {
    const known = this.#rows.get(number)
    if (known !== undefined) return known
    const row = this.#numbers.length
    this.#rows.set(number, row)
    this.#numbers.push(number)
    this.#testRuns.push(0)
    this.#restarts.push(0)
    return row
  }

  #submit({ number, state }: EventOf<'pullRequestSubmitted'>, at: Millis): void {
    const row = this.#rowOf(number)
    this.#states[row] = state
    this.#reasons[row] = 'API_REQUESTED'
    this.#submittedAt[row] = at
    this.#startedAt[row] = never
    this.#concludedAt[row] = never
  }

  #move({ number, from, to, reason }: EventOf<'pullRequestMoved'>, at: Millis): void {
    const row = this.#rowOf(number)
    this.#states[row] = to
    this.#reasons[row] = reason
    if (isTerminal(to)) this.#concludedAt[row] = at
    const isRestart = to === 'PENDING' && from !== 'NOT_READY'
    if (isRestart) this.#restarts[row] = (this.#restarts[row] ?? 0) + 1
  }

  #start(row: number, at: Millis): void {
    this.#testRuns[row] = (this.#testRuns[row] ?? 0) + 1
    if (this.#startedAt[row] === never) this.#startedAt[row] = at
  }

  #resultOf(row: number): PullRequestResult {
    return {
      number: this.#numbers[row] ?? 0,
      state: this.#states[row] ?? 'NOT_READY',
      reason: this.#reasons[row] ?? null,
      submittedAt: toMinutes(this.#submittedAt[row] ?? 0),
      startedAt: minutesOrNull(this.#startedAt[row]),
      concludedAt: minutesOrNull(this.#concludedAt[row]),
      testRuns: this.#testRuns[row] ?? 0,
      restarts: this.#restarts[row] ?? 0,
    }
  }
}

function minutesOrNull(at: Millis | undefined): number | null {
  return at === undefined || at === never ? null : toMinutes(at)
}
