/** Which pull request ahead makes another one wait again or leave, as the events of one command tell. */

import type { Event, EventOf, PullRequestNumber, Reason } from '../../engine/index.ts'

export type Ahead = {
  readonly number: PullRequestNumber
  /** The run of a batch with it has failed, and a bisection looks whose fault that is. */
  readonly inBatch?: true
}

/** The reasons that are about one ahead. */
type AheadReason = Extract<Reason, `PREREQUISITE_${string}`>

/** Follows the events of one command, in their order. */
export class AheadOf {
  readonly #last = new Map<AheadReason, Ahead>()

  /** Undefined: the event is not about one ahead, or nobody can be named. */
  follow(event: Event): Ahead | undefined {
    if (event.type === 'bisectionStarted') {
      const [number = 0, ...others] = event.members
      const isOfBatch = others.length > 0 || (event.others ?? 0) > 0
      const batch = isOfBatch ? ({ inBatch: true } as const) : {}
      this.#last.set('PREREQUISITE_MERGE_ITEM_FAILED', { number, ...batch })
    }
    return event.type === 'pullRequestMoved' ? this.#moved(event) : undefined
  }

  #moved({ number, to, reason, testRun, leftWith }: EventOf<'pullRequestMoved'>) {
    const isAbout =
      reason === 'PREREQUISITE_MERGE_ITEM_FAILED' || reason === 'PREREQUISITE_MERGE_ITEM_CANCELLED'
    const last = isAbout ? this.#last.get(reason) : undefined
    const ahead = isAbout && leftWith !== undefined ? { number: leftWith } : last
    // One that conflicts with another is left out of the runs behind it.
    if (to === 'FAILED' || (to === 'PENDING_FAILURE' && testRun === null)) {
      this.#last.set('PREREQUISITE_MERGE_ITEM_FAILED', { number })
    }
    if (to === 'CANCELLED') this.#last.set('PREREQUISITE_MERGE_ITEM_CANCELLED', { number })
    return ahead
  }
}
