/** Everything that is measured of a run, computed step by step. */

import type { Millis } from '../../engine/index.ts'
import type { Step } from '../steps/step.ts'
import type { RunContext, RunOutcome } from '../observe/run-context.ts'
import { toMinutes } from '../scenario/time.ts'
import type { ResultProjection } from './result-projection.ts'
import { RunCounts } from './counts.ts'
import { distributionOf } from './distribution.ts'
import { runsLowerBound } from './lower-bound.ts'
import { LaneClashes } from './lane-clashes.ts'
import { MainHealth } from './main-health.ts'
import type { Figures, Totals } from './result-document.ts'
import { runPriceOf } from './price.ts'
import { RunTracker } from './run-tracker.ts'
import { Times } from './times.ts'
import { UnprovenMergesProjection } from './unproven-merges.ts'
import { WastedMinutes } from './wasted-minutes.ts'

export class FiguresProjection {
  readonly #context: RunContext
  readonly #counts: RunCounts
  readonly #times = new Times()
  readonly #waste = new WastedMinutes()
  readonly #unproven = new UnprovenMergesProjection()
  readonly #health: MainHealth
  readonly #clashes: LaneClashes
  readonly #runTracker: RunTracker
  readonly #projections: readonly ResultProjection[]
  #breaking = 0

  /** `lists` receive the same events as the figures. */
  constructor(context: RunContext, lists: readonly ResultProjection[] = []) {
    this.#context = context
    const { countsEachSubmission = false } = context
    this.#counts = new RunCounts({ countsEachSubmission })
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
    this.#projections = [breaking, ...own, ...lists]
  }

  get runTracker(): RunTracker {
    return this.#runTracker
  }

  read({ command, events, queue }: Step): void {
    const context = { at: command.at, queue }
    for (const event of events) {
      const ended = this.#runTracker.onEvent(event, command.at)
      for (const collector of this.#projections) {
        if (ended) collector.onRunEnd?.(ended)
        collector.onEvent?.(event, context)
      }
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
    const { testRuns, bisectionRuns, cancelledRuns, runsSaved, restarts } = this.#counts
    const { healthyEvicted, badMerged } = this.#health
    return {
      merged: ended.MERGED,
      failed: ended.FAILED,
      cancelled: ended.CANCELLED,
      testRuns,
      bisectionRuns,
      cancelledRuns,
      runsSaved,
      restarts,
      testMinutes: toMinutes(testMs),
      healthyEvicted,
      badMerged,
      laneClashes: this.#clashes.found.length,
      brokenMainMinutes: toMinutes(this.#health.brokenMs(endedAt)),
      cameAgain: this.#times.cameAgain,
      waitedHours: hoursIn(this.#times.toLand),
      peakMainRuns: peak.main,
      peakBisectionRuns: peak.bisection,
      unprovenMerges: this.#unproven.counts,
      wastedMinutes: this.#waste.minutes,
    }
  }
}

const hourMs: Millis = 3_600_000

/** The sum of durations in hours, rounded to six digits. */
function hoursIn(times: readonly Millis[]): number {
  const sum = times.reduce((total, time) => total + time, 0)
  return Math.round((sum / hourMs) * 1e6) / 1e6
}
