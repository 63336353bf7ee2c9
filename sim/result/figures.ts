/** Everything that is measured of a run, computed step by step. */

import {
  type Event,
  type Millis,
  type PullRequestNumber,
  type Queue,
  type TerminalState,
  type TestRun,
  isTerminal,
} from '../../engine/index.ts'
import type { RunContext, RunOutcome } from '../observe/run-context.ts'
import { toMinutes } from '../scenario/time.ts'
import type { Step } from '../steps/step.ts'
import { distributionOf, type Figures, type Totals } from './result-document.ts'
import { LaneClashes } from './lane-clashes.ts'
import { MainHealth } from './main-health.ts'
import { runPriceOf } from './price.ts'
import { RunTracker } from './result-projection.ts'
import type { EndedRun, ResultContext, ResultProjection } from './result-projection.ts'
import { UnprovenMergesProjection, WastedMinutes } from './unproven-merges.ts'

export class FiguresProjection {
  readonly #context: RunContext
  readonly #counts: RunCounts
  readonly #times = new Times()
  readonly #waste = new WastedMinutes()
  readonly #unproven = new UnprovenMergesProjection()
  readonly #health: MainHealth
  readonly #clashes: LaneClashes
  readonly #runTracker: RunTracker
  readonly #onEvent: readonly NonNullable<ResultProjection['onEvent']>[]
  readonly #onRunEnd: readonly NonNullable<ResultProjection['onRunEnd']>[]
  #breaking = 0

  /** `lists` receive the same events as the figures. */
  constructor(context: RunContext, lists: readonly ResultProjection[] = []) {
    this.#context = context
    const { countsEachSubmission = false } = context
    this.#counts = new RunCounts({ countsEachSubmission, beginning: context.beginning() })
    this.#health = new MainHealth(context)
    this.#clashes = new LaneClashes(context)
    this.#runTracker = new RunTracker(context.isFlake)
    const { truth } = context
    const breaking: ResultProjection = {
      onEvent: (event) => {
        if (event.type !== 'pullRequestSubmitted') return
        const isNew = !this.#counts.has(event.number)
        if (isNew && truth.breaksByItself(event.number)) this.#breaking++
      },
    }
    const own = [
      this.#counts,
      this.#times,
      this.#waste,
      this.#unproven,
      this.#health,
      this.#clashes,
    ]
    const all: readonly ResultProjection[] = [breaking, ...own, ...lists]
    this.#onEvent = all.flatMap((each) => each.onEvent?.bind(each) ?? [])
    this.#onRunEnd = all.flatMap((each) => each.onRunEnd?.bind(each) ?? [])
  }

  read({ command, events, queue }: Step): void {
    const context = { at: command.at, queue }
    for (const event of events) {
      const ended = this.#runTracker.onEvent(event, command.at)
      if (ended) for (const onRunEnd of this.#onRunEnd) onRunEnd(ended)
      for (const onEvent of this.#onEvent) onEvent(event, context)
    }
  }

  figures({ seed, traceHash, endedAt }: RunOutcome): Figures {
    const { ended, testRuns, pullRequests } = this.#counts
    const { name, prices = {} } = this.#context.scenario
    const totals = this.#totals(endedAt)
    const price = runPriceOf(totals, totals.merged, prices)
    return {
      scenario: name,
      seed,
      traceHash,
      endedAtMinutes: toMinutes(endedAt),
      totals,
      timeInQueueMinutes: distributionOf(this.#times.inQueue),
      timeToLandMinutes: distributionOf(this.#times.toLand),
      waitMinutes: distributionOf(this.#times.waits),
      runsPerMerge: ended.MERGED === 0 ? null : testRuns / ended.MERGED,
      laneClashes: this.#clashes.found,
      theory: { runsLowerBound: runsLowerBound(pullRequests, this.#breaking) },
      ...(price ? { price } : {}),
    }
  }

  #totals(endedAt: number): Totals {
    const { ended, peak, testMs } = this.#counts
    const { testRuns, bisectionRuns, cancelledRuns, runsSaved, restarts, waiting } = this.#counts
    const { healthyEvicted, clashed, badMerged, leaningMerges, hiddenBreaks } = this.#health
    return {
      merged: ended.MERGED,
      failed: ended.FAILED,
      cancelled: ended.CANCELLED,
      ...(waiting > 0 ? { waiting } : {}),
      testRuns,
      bisectionRuns,
      cancelledRuns,
      runsSaved,
      restarts,
      testMinutes: toMinutes(testMs),
      healthyEvicted,
      clashed,
      badMerged,
      laneClashes: this.#clashes.found.length,
      brokenMainMinutes: toMinutes(this.#health.brokenMs(endedAt)),
      cameAgain: this.#times.cameAgain,
      waitedHours: hoursIn(this.#times.toLand),
      peakMainRuns: peak.main,
      peakBisectionRuns: peak.bisection,
      peakRuns: peak.all,
      unprovenMerges: this.#unproven.counts,
      ...(hasQuarantine(this.#context.scenario)
        ? { quarantine: { merges: leaningMerges, breaks: hiddenBreaks } }
        : {}),
      wastedMinutes: this.#waste.minutes,
    }
  }
}

const hasQuarantine = ({ quarantine = [], events = [] }: RunContext['scenario']): boolean =>
  quarantine.length > 0 || events.some((event) => event.do === 'quarantine')

const hourMs: Millis = 3_600_000

/** The sum of durations in hours, rounded to six digits. */
function hoursIn(times: readonly Millis[]): number {
  const sum = times.reduce((total, time) => total + time, 0)
  return Math.round((sum / hourMs) * 1e6) / 1e6
}

// The counts of a run: pull requests by outcome, test runs, restarts and used slots.

type Counting = { readonly countsEachSubmission: boolean; readonly beginning: Queue }

class RunCounts implements ResultProjection {
  readonly ended: Record<TerminalState, number> = { MERGED: 0, FAILED: 0, CANCELLED: 0 }
  readonly peak = { main: 0, bisection: 0, tip: 0, all: 0 }
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
  readonly #inProgress = { main: 0, bisection: 0, tip: 0 }

  constructor({ countsEachSubmission, beginning }: Counting) {
    this.#countsEachSubmission = countsEachSubmission
    // A recording may begin in the middle, when some have been submitted.
    for (const { number, state } of Object.values(beginning.pullRequests)) {
      if (!isTerminal(state)) this.#ends.set(number, null)
    }
  }

  /** The number of pull requests, or of submissions, if each of those counts. */
  get pullRequests(): number {
    return this.#countsEachSubmission ? this.#submissions : this.#ends.size
  }

  /** The number of pull requests that have not left the queue. */
  get waiting(): number {
    return [...this.#ends.values()].filter((end) => end === null).length
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

  #start(kind: TestRun['owner']['kind']): void {
    this.testRuns++
    if (kind === 'bisection') this.bisectionRuns++
    this.#inProgress[kind]++
    const { main, bisection, tip } = this.#inProgress
    this.peak[kind] = Math.max(this.peak[kind], this.#inProgress[kind])
    this.peak.all = Math.max(this.peak.all, main + bisection + tip)
  }

  /**
   * A pull request that is submitted again no longer counts with its previous outcome, unless it has
   * merged and so begins anew (S-241), or each submission counts.
   */
  #setEnd(number: PullRequestNumber, end: TerminalState | null): void {
    const before = this.#ends.get(number) ?? null
    if (before && before !== 'MERGED' && !this.#countsEachSubmission) this.ended[before]--
    if (end) this.ended[end]++
    this.#ends.set(number, end)
  }
}

/**
 * The lower bound on the average number of test runs that any strategy needs to find which of n pull
 * requests break, if each breaks independently with probability p. It is n * H2(p), because each run
 * gives one bit.
 */
function runsLowerBound(n: number, breaking: number): number {
  if (breaking === 0 || breaking === n) return 0
  const p = breaking / n
  const bits = -p * Math.log2(p) - (1 - p) * Math.log2(1 - p)
  return Math.round(n * bits * 1e6) / 1e6
}

// Durations of pull requests: in the queue, from first submission to merge, and to the first run.

class Times implements ResultProjection {
  readonly inQueue: Millis[] = []
  /** From the first submission to the merge, also if the pull request left and came again (S-241). */
  readonly toLand: Millis[] = []
  readonly waits: Millis[] = []
  /** The first submission of each pull request that has not merged since. */
  readonly #firstSubmittedAt = new Map<PullRequestNumber, Millis>()
  readonly #cameAgain = new Set<PullRequestNumber>()
  /** The time of submission of each pull request that waits for its first test run. */
  readonly #waiting = new Map<PullRequestNumber, Millis>()

  /** The number of pull requests that were submitted more than once before they merged. */
  get cameAgain(): number {
    return this.#cameAgain.size
  }

  onEvent(event: Event, { at, queue }: ResultContext): void {
    if (event.type === 'pullRequestSubmitted') {
      this.#submit(event.number, at)
    } else if (event.type === 'testRunStarted') {
      for (const number of event.run.tested) this.#start(number, at)
    } else if (event.type === 'pullRequestMoved') {
      if (event.to === 'MERGED') {
        this.inQueue.push(at - (queue.pullRequests[event.number]?.submittedAt ?? at))
        this.toLand.push(at - (this.#firstSubmittedAt.get(event.number) ?? at))
        this.#firstSubmittedAt.delete(event.number)
      }
      if (isTerminal(event.to)) this.#waiting.delete(event.number)
    }
  }

  #submit(number: PullRequestNumber, at: Millis): void {
    this.#waiting.set(number, at)
    if (this.#firstSubmittedAt.has(number)) this.#cameAgain.add(number)
    else this.#firstSubmittedAt.set(number, at)
  }

  #start(number: PullRequestNumber, at: Millis): void {
    const since = this.#waiting.get(number)
    if (since === undefined) return
    this.waits.push(at - since)
    this.#waiting.delete(number)
  }
}
