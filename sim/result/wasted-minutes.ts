/** Minutes of test runs that came to nothing, by cause; each run counts under one at most. */

import type { Event, GroupId, Millis } from '../../engine/index.ts'
import { toMinutes } from '../time.ts'
import type { Book, EndedRun } from './book.ts'

export type Waste = {
  /** What the run stood on changed, or somebody asked: cancelled for it, or its verdict given up. */
  readonly restarted: number
  /** A pull request in it left, or nobody needed the run any more. */
  readonly cancelled: number
  /** It failed for no reason. */
  readonly flakes: number
  /** The runner lost it, or it timed out. */
  readonly errored: number
}

const gone = new Set([
  'PREREQUISITE_MERGE_ITEM_CANCELLED',
  'SUCCESSOR_TEST_RUN_PASSED',
  'MANUAL_MERGE',
])

export class WastedMinutes implements Book {
  readonly #ms = { restarted: 0, cancelled: 0, flakes: 0, errored: 0 }
  /** By group: the length of the run whose verdict it stands on. */
  readonly #verdicts = new Map<GroupId, Millis>()

  seeEnd({ run, lengthMs, outcome, cause, flaked }: EndedRun): void {
    if (outcome === 'errored' || outcome === 'timed_out') this.#ms.errored += lengthMs
    else if (cause !== null) this.#ms[gone.has(cause) ? 'cancelled' : 'restarted'] += lengthMs
    else if (flaked) this.#ms.flakes += lengthMs
    else if (run.owner.kind === 'main') this.#verdicts.set(run.owner.group, lengthMs)
  }

  see(event: Event): void {
    if (event.type === 'groupRestarted') {
      this.#ms.restarted += this.#verdicts.get(event.group) ?? 0
      this.#verdicts.delete(event.group)
    } else if (event.type === 'groupLeft' || event.type === 'bisectionStarted') {
      this.#verdicts.delete(event.group)
    }
  }

  get minutes(): Waste {
    const { restarted, cancelled, flakes, errored } = this.#ms
    return {
      restarted: toMinutes(restarted),
      cancelled: toMinutes(cancelled),
      flakes: toMinutes(flakes),
      errored: toMinutes(errored),
    }
  }
}
