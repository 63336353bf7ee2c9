/** The minutes of useless test runs, by cause. Each run counts under one cause at most. */

import type { Event, GroupId, Millis } from '../../engine/index.ts'
import { toMinutes } from '../scenario/time.ts'
import type { ResultProjection, EndedRun } from './result-projection.ts'

export type Waste = {
  /**
   * The predecessors of the run changed, or a restart was requested. The run was cancelled, or its
   * verdict was discarded.
   */
  readonly restarted: number
  /** A pull request in the run left, or the run was no longer needed. */
  readonly cancelled: number
  /** The run failed only because of a flake. */
  readonly flakes: number
  /** The runner lost the run, or the run timed out. */
  readonly errored: number
}

/** The causes that count as `cancelled`. */
const cancelCauses = new Set([
  'PREREQUISITE_MERGE_ITEM_CANCELLED',
  'SUCCESSOR_TEST_RUN_PASSED',
  'MANUAL_MERGE',
])

export class WastedMinutes implements ResultProjection {
  readonly #ms = { restarted: 0, cancelled: 0, flakes: 0, errored: 0 }
  /** The duration of the run that gave the current verdict of a group. */
  readonly #verdicts = new Map<GroupId, Millis>()

  onRunEnd({ run, lengthMs, outcome, cause, flaked }: EndedRun): void {
    if (outcome === 'errored' || outcome === 'timed_out') this.#ms.errored += lengthMs
    else if (cause !== null)
      this.#ms[cancelCauses.has(cause) ? 'cancelled' : 'restarted'] += lengthMs
    else if (flaked) this.#ms.flakes += lengthMs
    else if (run.owner.kind === 'main') this.#verdicts.set(run.owner.group, lengthMs)
  }

  onEvent(event: Event): void {
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
