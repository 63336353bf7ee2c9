/** Whether the right ones were merged and evicted, as only the world knows. */

import {
  isTerminal,
  type Event,
  type Millis,
  type PullRequestNumber,
  type QueueView,
  type Reason,
} from '../../engine/index.ts'
import type { RunContext } from '../run-context.ts'
import type { Book, Seen } from './book.ts'

const testReasons: ReadonlySet<Reason | null> = new Set<Reason>([
  'TEST_RUN_REQUIRED_STATUS_FAILED',
  'TEST_RUN_TIMEOUT',
  'TEST_RUN_FAILED_BY_OPTIMIZATION',
  'START_TEST_RUN_RETRY_EXHAUSTED',
])

export class MainHealth implements Book {
  /** FAILED by their tests, although they do not break. */
  healthyEvicted = 0
  /** Merged, and to blame that the target branch does not pass its tests. */
  badMerged = 0
  readonly #context: RunContext
  readonly #tell: (number: PullRequestNumber, what: 'evicted' | 'bad') => void
  #brokenMs: Millis = 0
  #brokenSince: Millis | null = null

  /** `tell` hears of each pull request that is counted. */
  constructor(
    context: RunContext,
    tell: (number: PullRequestNumber, what: 'evicted' | 'bad') => void = () => undefined,
  ) {
    this.#context = context
    this.#tell = tell
  }

  see(event: Event, { at, queue }: Seen): void {
    if (event.type === 'tipMoved') {
      const culprits = this.#context.main.culprits([], event.tip)
      if (event.number !== null && culprits.includes(event.number)) {
        this.badMerged++
        this.#tell(event.number, 'bad')
      }
      this.#note(culprits.length > 0, at)
    } else if (event.type === 'pullRequestMoved' && event.to === 'FAILED') {
      const isHealthy = testReasons.has(event.reason) && !this.#breaks(event.number, queue)
      if (!isHealthy) return
      this.healthyEvicted++
      this.#tell(event.number, 'evicted')
    }
  }

  /** How long the target branch did not pass its tests, until this instant. */
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

  /** It breaks the target branch, alone or with one that is there or still in the queue. */
  #breaks(number: number, { pullRequests }: QueueView): boolean {
    const { truth, main } = this.#context
    const isAround = (other: number): boolean => {
      const state = pullRequests[other]?.state
      return main.holds(other) || (state !== undefined && !isTerminal(state))
    }
    return main.culprits([number, ...truth.partnersOf(number).filter(isAround)]).includes(number)
  }
}
