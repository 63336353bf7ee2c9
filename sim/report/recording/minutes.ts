/** Where the minutes of the test runs went. Each run counts whole, under one heading. */

import {
  isTerminal,
  type Event,
  type Millis,
  type PullRequestNumber,
} from '../../../engine/index.ts'
import type { Book, EndedRun } from '../../result/book.ts'

export const spendings = [
  'first runs',
  'retests',
  'bisection',
  'flakes',
  'cancelled',
  'lost or too long',
] as const
export type Spending = (typeof spendings)[number]

type Spent = { readonly runs: number; readonly ms: Millis }

export class MinutesBook implements Book {
  readonly #spent = new Map<Spending, Spent>()
  /** Those in the queue that a main run has tested already. */
  readonly #tested = new Set<PullRequestNumber>()
  readonly #repeated = new Set<number>()

  see(event: Event): void {
    if (event.type === 'testRunStarted' && event.run.owner.kind === 'main') {
      const { id, tested } = event.run
      if (tested.some((number) => this.#tested.has(number))) this.#repeated.add(id)
      for (const number of tested) this.#tested.add(number)
    } else if (event.type === 'pullRequestMoved' && isTerminal(event.to)) {
      this.#tested.delete(event.number)
    }
  }

  seeEnd(ended: EndedRun): void {
    const spending = this.#spendingOf(ended)
    const { runs, ms } = this.of(spending)
    this.#spent.set(spending, { runs: runs + 1, ms: ms + ended.lengthMs })
    this.#repeated.delete(ended.run.id)
  }

  of(spending: Spending): Spent {
    return this.#spent.get(spending) ?? { runs: 0, ms: 0 }
  }

  /** What came to nothing is counted as that, whatever it was meant to be. */
  #spendingOf({ run, outcome, flaked }: EndedRun): Spending {
    if (outcome === 'errored' || outcome === 'timed_out') return 'lost or too long'
    if (outcome === 'cancelled') return 'cancelled'
    if (flaked) return 'flakes'
    if (run.owner.kind === 'bisection') return 'bisection'
    return this.#repeated.has(run.id) ? 'retests' : 'first runs'
  }
}
