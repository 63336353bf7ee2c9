/** Sums up the CI time by kind of test run. Each run counts fully, under exactly one kind. */

import {
  isTerminal,
  type Event,
  type Millis,
  type PullRequestNumber,
} from '../../../engine/index.ts'
import type { ResultProjection, EndedRun } from '../../result/result-projection.ts'
import { Kept } from './kept.ts'

export const spendings = [
  'first runs',
  'retests',
  'bisection',
  'flakes',
  'cancelled',
  'lost or timed out',
] as const
export type Spending = (typeof spendings)[number]

type Spent = {
  readonly runs: number
  readonly ms: Millis
  /** The pull requests that these runs tested. */
  readonly members: Kept
}

export class MinutesProjection implements ResultProjection {
  readonly #spent = new Map<Spending, Spent>()
  /** The pull requests in the queue that a main run has already tested. */
  readonly #tested = new Set<PullRequestNumber>()
  /** The main runs in progress that test such a pull request again, by id. */
  readonly #repeated = new Set<number>()

  onEvent(event: Event): void {
    if (event.type === 'testRunStarted' && event.run.owner.kind === 'main') {
      const { id, tested } = event.run
      if (tested.some((number) => this.#tested.has(number))) this.#repeated.add(id)
      for (const number of tested) this.#tested.add(number)
    } else if (event.type === 'pullRequestMoved' && isTerminal(event.to)) {
      this.#tested.delete(event.number)
    }
  }

  onRunEnd(ended: EndedRun): void {
    const spending = this.#spendingOf(ended)
    const { runs, ms, members } = this.of(spending)
    members.add(ended.run.tested)
    this.#spent.set(spending, { runs: runs + 1, ms: ms + ended.lengthMs, members })
    this.#repeated.delete(ended.run.id)
  }

  of(spending: Spending): Spent {
    return this.#spent.get(spending) ?? { runs: 0, ms: 0, members: new Kept() }
  }

  /** A run without a valid result counts as lost, cancelled or flaked, whatever its purpose was. */
  #spendingOf({ run, outcome, flaked }: EndedRun): Spending {
    if (outcome === 'errored' || outcome === 'timed_out') return 'lost or timed out'
    if (outcome === 'cancelled') return 'cancelled'
    if (flaked) return 'flakes'
    if (run.owner.kind === 'bisection') return 'bisection'
    return this.#repeated.has(run.id) ? 'retests' : 'first runs'
  }
}
