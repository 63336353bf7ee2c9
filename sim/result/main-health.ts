/** Counts wrong merges and evictions, which only the simulated world knows. */

import {
  isTerminal,
  type Event,
  type Millis,
  type PullRequestNumber,
  type QueueView,
  type Reason,
} from '../../engine/index.ts'
import type { RunContext } from '../observe/run-context.ts'
import type { ResultProjection, ResultContext } from './result-projection.ts'

const testReasons: ReadonlySet<Reason | null> = new Set<Reason>([
  'TEST_RUN_REQUIRED_STATUS_FAILED',
  'TEST_RUN_TIMEOUT',
  'TEST_RUN_FAILED_BY_OPTIMIZATION',
  'START_TEST_RUN_RETRY_EXHAUSTED',
])

export class MainHealth implements ResultProjection {
  /** Pull requests that FAILED because of their tests although they do not break. */
  healthyEvicted = 0
  /** Merged pull requests because of which the target branch does not pass its tests. */
  badMerged = 0
  readonly #context: RunContext
  readonly #report: (number: PullRequestNumber, what: 'evicted' | 'bad') => void
  #brokenMs: Millis = 0
  #brokenSince: Millis | null = null

  /** `report` is called for each pull request that is counted. */
  constructor(
    context: RunContext,
    report: (number: PullRequestNumber, what: 'evicted' | 'bad') => void = () => undefined,
  ) {
    this.#context = context
    this.#report = report
  }

  onEvent(event: Event, { at, queue }: ResultContext): void {
    if (event.type === 'tipMoved') {
      const culprits = this.#context.main.culprits([], event.tip)
      if (event.number !== null && culprits.includes(event.number)) {
        this.badMerged++
        this.#report(event.number, 'bad')
      }
      this.#note(culprits.length > 0, at)
    } else if (event.type === 'pullRequestMoved' && event.to === 'FAILED') {
      const isHealthy = testReasons.has(event.reason) && !this.#breaks(event.number, queue)
      if (!isHealthy) return
      this.healthyEvicted++
      this.#report(event.number, 'evicted')
    }
  }

  /** Returns how long the target branch did not pass its tests, up to this instant. */
  brokenMs(at: Millis): Millis {
    return this.#brokenMs + (this.#brokenSince === null ? 0 : at - this.#brokenSince)
  }

  #note(isBroken: boolean, at: Millis): void {
    if (!isBroken) {
      this.#brokenMs = this.brokenMs(at)
      this.#brokenSince = null
    } else {
      this.#brokenSince ??= at
    }
  }

  /** True if it breaks the branch, alone or with a pull request on the branch or in the queue. */
  #breaks(number: number, { pullRequests }: QueueView): boolean {
    const { truth, main } = this.#context
    const isPresent = (other: number): boolean => {
      const state = pullRequests[other]?.state
      return main.holds(other) || (state !== undefined && !isTerminal(state))
    }
    return main.culprits([number, ...truth.partnersOf(number).filter(isPresent)]).includes(number)
  }
}
