/** Counts wrong merges and evictions, which only the simulated world knows. */

import {
  type Event,
  type EventOf,
  type Millis,
  type PullRequestNumber,
  type QueueView,
  type Reason,
  isTerminal,
} from '../../engine/index.ts'
import type { RunContext } from '../observe/run-context.ts'
import type { ResultContext, ResultProjection } from './result-projection.ts'

const testReasons: ReadonlySet<Reason | null> = new Set<Reason>([
  'TEST_RUN_REQUIRED_STATUS_FAILED',
  'TEST_RUN_TIMEOUT',
  'TEST_RUN_FAILED_BY_OPTIMIZATION',
  'START_TEST_RUN_RETRY_EXHAUSTED',
])

/** What is reported of a pull request. */
type Remark = 'evicted' | 'clashed' | 'bad'

export class MainHealth implements ResultProjection {
  /**
   * Pull requests that FAILED because of their tests or of a text conflict, would have merged in the
   * serial order, and neither broke nor conflicted on the branch of that moment (S-57).
   */
  healthyEvicted = 0
  /** Pull requests that FAILED because they break together with one that came first (S-272). */
  clashed = 0
  /** Merged pull requests because of which the target branch does not pass its tests. */
  badMerged = 0
  /** Pull requests that merged by a run in which only tests in quarantine failed. */
  leaningMerges = 0
  /** Merged pull requests because of which only tests in quarantine fail on the branch. */
  hiddenBreaks = 0
  readonly #context: RunContext
  readonly #report: (number: PullRequestNumber, what: Remark) => void
  readonly #order = new SerialOrder()
  #brokenMs: Millis = 0
  #brokenSince: Millis | null = null
  /** The last refusal of the code host: who is FAILED then is its decision. */
  #refused: { readonly number: PullRequestNumber; readonly at: Millis } | null = null

  /** `report` is called for each pull request that is counted. */
  constructor(
    context: RunContext,
    report: (number: PullRequestNumber, what: Remark) => void = () => undefined,
  ) {
    this.#context = context
    this.#report = report
  }

  onEvent(event: Event, { at, queue }: ResultContext): void {
    this.#onMerge(event, at)
    if (event.type === 'pullRequestMoved' && event.to === 'FAILED') {
      if (this.#wasJudged(event, at)) this.#judge(event, queue)
    }
    this.#order.onEvent(event)
  }

  #onMerge(event: Event, at: Millis): void {
    const { main } = this.#context
    if (event.type === 'tipMoved') {
      const culprits = main.culprits([], event.tip)
      if (event.number !== null && culprits.includes(event.number)) {
        this.badMerged++
        this.#report(event.number, 'bad')
      } else if (event.number !== null && main.breakers([], event.tip).includes(event.number)) {
        this.hiddenBreaks++
      }
      this.#note(culprits.length > 0, at)
    } else if (event.type === 'testQuarantined' || event.type === 'testReleased') {
      this.#note(main.isBroken, at)
    } else if (event.type === 'pullRequestMoved') {
      if (event.to === 'MERGED' && event.quarantined) this.leaningMerges++
    } else if (event.type === 'mergeRefused') this.#refused = { number: event.number, at }
  }

  /** Whether it FAILED because of its tests or a text conflict that the queue found. */
  #wasJudged({ number, reason }: EventOf<'pullRequestMoved'>, at: Millis): boolean {
    if (testReasons.has(reason)) return true
    const isRefused = this.#refused?.number === number && this.#refused.at === at
    return reason === 'START_TEST_RUN_MERGE_CONFLICT' && !isRefused
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

  #judge({ number, reason }: EventOf<'pullRequestMoved'>, queue: QueueView): void {
    const { main } = this.#context
    const breaksNow = main.culprits([number]).includes(number)
    if (!this.#fails(number, queue) && !breaksNow) {
      this.healthyEvicted++
      this.#report(number, 'evicted')
    } else if (testReasons.has(reason) && !main.culprits([number], 0).includes(number)) {
      this.clashed++
      this.#report(number, 'clashed')
    }
  }

  /**
   * Whether it conflicts as text with the branch, or would have failed in the serial order: it breaks alone or
   * together with those that are on the branch, or come first and are in the queue.
   */
  #fails(number: PullRequestNumber, { pullRequests }: QueueView): boolean {
    const { truth, main } = this.#context
    const isBelow = (other: number): boolean => {
      if (main.holds(other)) return true
      const state = pullRequests[other]?.state
      return state !== undefined && !isTerminal(state) && this.#order.isFirst(other, number)
    }
    const relatives = truth.relativesOf(number)
    if (relatives.some((other) => main.holds(other) && truth.conflict(number, other))) return true
    return main.culprits([number, ...relatives.filter(isBelow)], 0).includes(number)
  }
}

// The serial order: in which order a queue would test and merge that tests one pull request at a
// time. It is the order in which pull requests started, urgent ones ahead of all that had not
// merged. Bisections and splits do not change it.

/** Larger than any number of pull requests. */
const urgentAhead = 2 ** 40

export class SerialOrder {
  /** The place of each pull request that has started. */
  readonly #places = new Map<PullRequestNumber, number>()
  #started = 0

  onEvent(event: Event): void {
    if (event.type === 'groupPlaced') {
      const { cause, members } = event
      if (cause !== 'formed' && cause !== 'urgent') return
      for (const number of members) {
        const startedAt = this.#started++
        this.#places.set(number, cause === 'urgent' ? startedAt - urgentAhead : startedAt)
      }
    } else if (event.type === 'pullRequestMoved' && isTerminal(event.to)) {
      this.#places.delete(event.number)
    }
  }

  /** Whether one that is in the queue comes first. One that has not started does not. */
  isFirst(other: PullRequestNumber, number: PullRequestNumber): boolean {
    const own = this.#places.get(number)
    const known = this.#places.get(other)
    return own !== undefined && known !== undefined && known < own
  }
}
