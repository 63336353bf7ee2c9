/** The counts of a run: pull requests by outcome, test runs, restarts and used slots. */

import {
  isTerminal,
  type Event,
  type Millis,
  type PullRequestNumber,
  type TerminalState,
} from '../../engine/index.ts'
import type { ResultProjection, EndedRun } from './result-projection.ts'

export class RunCounts implements ResultProjection {
  readonly ended: Record<TerminalState, number> = { MERGED: 0, FAILED: 0, CANCELLED: 0 }
  readonly peak = { main: 0, bisection: 0 }
  testRuns = 0
  bisectionRuns = 0
  cancelledRuns = 0
  runsSaved = 0
  restarts = 0
  testMs: Millis = 0
  /** The outcome of each pull request; null while it is in the queue. */
  readonly #ends = new Map<PullRequestNumber, TerminalState | null>()
  readonly #countsEachSubmission: boolean
  #submissions = 0
  readonly #inProgress = { main: 0, bisection: 0 }

  constructor({ countsEachSubmission = false } = {}) {
    this.#countsEachSubmission = countsEachSubmission
  }

  /** The number of pull requests, or of submissions, if each of those counts. */
  get pullRequests(): number {
    return this.#countsEachSubmission ? this.#submissions : this.#ends.size
  }

  has(number: PullRequestNumber): boolean {
    return this.#ends.has(number)
  }

  onRunEnd({ run, lengthMs, outcome }: EndedRun): void {
    this.#inProgress[run.owner.kind]--
    this.testMs += lengthMs
    if (outcome === 'cancelled') this.cancelledRuns++
  }

  onEvent(event: Event): void {
    if (event.type === 'testRunStarted') this.#start(event.run.owner.kind)
    else if (event.type === 'testRunSaved') this.runsSaved++
    else if (event.type === 'pullRequestSubmitted') this.#submit(event.number)
    else if (event.type === 'pullRequestMoved') {
      if (isTerminal(event.to)) this.#setEnd(event.number, event.to)
      else if (event.to === 'PENDING' && event.from !== 'NOT_READY') this.restarts++
    }
  }

  #submit(number: PullRequestNumber): void {
    this.#submissions++
    this.#setEnd(number, null)
  }

  #start(kind: 'main' | 'bisection'): void {
    this.testRuns++
    if (kind === 'bisection') this.bisectionRuns++
    this.#inProgress[kind]++
    this.peak[kind] = Math.max(this.peak[kind], this.#inProgress[kind])
  }

  /**
   * A pull request that is submitted again no longer counts with its previous outcome, unless each
   * submission counts.
   */
  #setEnd(number: PullRequestNumber, end: TerminalState | null): void {
    const before = this.#ends.get(number) ?? null
    if (before && !this.#countsEachSubmission) this.ended[before]--
    if (end) this.ended[end]++
    this.#ends.set(number, end)
  }
}
