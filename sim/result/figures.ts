/** Everything that is measured of a run, folded from its moments by small books. */

import type { Moment } from '../moment.ts'
import type { RunContext, RunOutcome } from '../run-context.ts'
import { toMinutes } from '../time.ts'
import type { Book } from './book.ts'
import { Counts } from './counts.ts'
import { distributionOf } from './distribution.ts'
import { runsLowerBound } from './lower-bound.ts'
import { LaneClashes } from './lane-clashes.ts'
import { MainHealth } from './main-health.ts'
import type { Figures, Totals } from './result-document.ts'
import { RunLedger } from './run-ledger.ts'
import { Times } from './times.ts'
import { UnprovenMergesBook } from './unproven-merges.ts'
import { WastedMinutes } from './wasted-minutes.ts'

export class FiguresBook {
  readonly #context: RunContext
  readonly #counts = new Counts()
  readonly #times = new Times()
  readonly #waste = new WastedMinutes()
  readonly #unproven = new UnprovenMergesBook()
  readonly #health: MainHealth
  readonly #clashes: LaneClashes
  readonly #ledger: RunLedger
  readonly #books: readonly Book[]
  #breaking = 0

  /** `lists` are read along with the figures. */
  constructor(context: RunContext, lists: readonly Book[] = []) {
    this.#context = context
    this.#health = new MainHealth(context)
    this.#clashes = new LaneClashes(context)
    this.#ledger = new RunLedger(context.isFlake)
    const { truth } = context
    const breaking: Book = {
      see: (event) => {
        if (event.type !== 'pullRequestSubmitted') return
        const isNew = !this.#counts.hasSeen(event.number)
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
    this.#books = [breaking, ...own, ...lists]
  }

  get ledger(): RunLedger {
    return this.#ledger
  }

  read({ command, events, queue }: Moment): void {
    const seen = { at: command.at, queue }
    for (const event of events) {
      const ended = this.#ledger.see(event, command.at)
      for (const book of this.#books) {
        if (ended) book.seeEnd?.(ended)
        book.see?.(event, seen)
      }
    }
  }

  figures({ seed, traceHash, endedAt }: RunOutcome): Figures {
    const { ended, testRuns, pullRequests } = this.#counts
    return {
      scenario: this.#context.scenario.name,
      seed,
      traceHash,
      endedAtMinutes: toMinutes(endedAt),
      totals: this.#totals(endedAt),
      timeInQueueMinutes: distributionOf(this.#times.inQueue),
      waitMinutes: distributionOf(this.#times.waits),
      runsPerMerge: ended.MERGED === 0 ? null : testRuns / ended.MERGED,
      laneClashes: this.#clashes.found,
      theory: { runsLowerBound: runsLowerBound(pullRequests, this.#breaking) },
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
      peakMainRuns: peak.main,
      peakBisectionRuns: peak.bisection,
      unprovenMerges: this.#unproven.counts,
      wastedMinutes: this.#waste.minutes,
    }
  }
}
