/** Sums up the CI time by kind of test run. Each run counts fully, under exactly one kind. */

import { isTerminal } from '../../../engine/index.ts'
import type { Event, GroupId, Millis, PullRequestNumber } from '../../../engine/index.ts'
import { mostListed } from '../../html/components.ts'
import type { ResultProjection, EndedRun } from '../../result/result-projection.ts'

const spendings = [
  {
    what: 'first runs',
    color: 'testing',
    means: 'passed or rightly failed; no pull request in it was tested before',
  },
  {
    what: 'retests',
    color: 'series-6',
    means: 'passed or rightly failed; a pull request in it was tested before',
  },
  { what: 'bisection', color: 'bisecting', means: 'to find the culprits in a failed batch' },
  { what: 'flakes', color: 'held', means: 'failed only because of a flake' },
  {
    what: 'ended early',
    color: 'cancelled',
    means: 'cancelled before they finished: restarted, or no longer needed',
  },
  { what: 'lost or timed out', color: 'failed', means: 'lost by the runner, or timed out' },
] as const
type Spending = (typeof spendings)[number]

type Spent = Spending & {
  runs: number
  ms: Millis
  /** The pull requests that these runs tested. */
  readonly members: Kept
}

export class MinutesProjection implements ResultProjection {
  readonly spent: ReadonlyMap<Spending['what'], Spent> = new Map(
    spendings.map((each) => [each.what, { ...each, runs: 0, ms: 0, members: new Kept() }]),
  )
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
    const spent = this.spent.get(this.#spendingOf(ended))
    if (!spent) return
    spent.runs++
    spent.ms += ended.lengthMs
    spent.members.add(ended.run.tested)
    this.#repeated.delete(ended.run.id)
  }

  /** A run without a valid result counts as lost, ended early or flaked, whatever its purpose was. */
  #spendingOf({ run, outcome, flaked }: EndedRun): Spending['what'] {
    if (outcome === 'errored' || outcome === 'timed_out') return 'lost or timed out'
    if (outcome === 'cancelled') return 'ended early'
    if (flaked) return 'flakes'
    if (run.owner.kind === 'bisection') return 'bisection'
    return this.#repeated.has(run.id) ? 'retests' : 'first runs'
  }
}

// The pull requests behind a figure: as many as the report lists.

/** A run of a million pull requests must not fill the memory, so only the first ones are kept. */
export class Kept {
  readonly #numbers = new Set<PullRequestNumber>()
  /** True if there were more. */
  hasMore = false

  add(numbers: readonly PullRequestNumber[]): void {
    for (const number of numbers) {
      if (this.#numbers.size < mostListed) this.#numbers.add(number)
      else if (!this.#numbers.has(number)) this.hasMore = true
    }
  }

  /** Each once, in the order in which they were added. */
  get numbers(): PullRequestNumber[] {
    return [...this.#numbers]
  }
}

// Counts how often a batch passes on the first try, by its size.

/** The first main runs of the batches of one size, by how they ended. */
export type FirstTries = {
  readonly size: number
  readonly passed: number
  readonly failed: number
  /** Cancelled, lost or timed out: the run does not say whether the batch is healthy. */
  readonly noVerdict: number
  /** The pull requests of those runs. */
  readonly members: Readonly<Record<TryOutcome, Kept>>
}

type TryOutcome = 'passed' | 'failed' | 'noVerdict'

export class BatchesProjection implements ResultProjection {
  readonly #tries = new Map<number, FirstTries>()
  readonly #tested = new Set<GroupId>()

  /** A batch counts once, with its first main run. Later runs and bisections do not count. */
  onRunEnd({ run: { owner, tested }, outcome }: EndedRun): void {
    if (owner.kind !== 'main' || this.#tested.has(owner.group)) return
    this.#tested.add(owner.group)
    const size = tested.length
    const before = this.#tries.get(size) ?? noTries(size)
    const how = outcome === 'passed' || outcome === 'failed' ? outcome : 'noVerdict'
    before.members[how].add(tested)
    this.#tries.set(size, { ...before, [how]: before[how] + 1 })
  }

  /** By size, smallest first. */
  get tries(): FirstTries[] {
    return [...this.#tries.values()].sort((a, b) => a.size - b.size)
  }
}

function noTries(size: number): FirstTries {
  const members = { passed: new Kept(), failed: new Kept(), noVerdict: new Kept() }
  return { size, passed: 0, failed: 0, noVerdict: 0, members }
}
