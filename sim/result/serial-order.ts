/**
 * The serial order: in which order a queue would test and merge that tests one pull request at a
 * time. It is the order in which pull requests started, urgent ones ahead of all that had not
 * merged. Bisections and splits do not change it.
 */

import { isTerminal, type Event, type PullRequestNumber } from '../../engine/index.ts'

type SerialPlace = { readonly place: number; readonly startedAt: number }

/** Larger than any number of pull requests. */
const urgentAhead = 2 ** 40

export class SerialOrder {
  readonly #current = new Map<PullRequestNumber, SerialPlace>()
  /** The place of each pull request on the branch, and how many had started when it merged. */
  readonly #landed = new Map<PullRequestNumber, { place: number; landedAt: number }>()
  readonly #matters: (number: PullRequestNumber) => boolean
  #started = 0

  /** `matters` returns whether anyone may ask for the place of a pull request that has merged. */
  constructor(matters: (number: PullRequestNumber) => boolean) {
    this.#matters = matters
  }

  onEvent(event: Event): void {
    if (event.type === 'groupPlaced') {
      const { cause, members } = event
      if (cause !== 'formed' && cause !== 'urgent') return
      for (const number of members) {
        const startedAt = this.#started++
        const place = cause === 'urgent' ? startedAt - urgentAhead : startedAt
        this.#current.set(number, { place, startedAt })
      }
    } else if (event.type === 'pullRequestMoved') {
      const { number, to, reason } = event
      const known = this.#current.get(number)
      if (!isTerminal(to)) return
      this.#current.delete(number)
      if (to === 'MERGED' && known && reason !== 'MANUAL_MERGE' && this.#matters(number))
        this.#landed.set(number, { place: known.place, landedAt: this.#started })
    }
  }

  /**
   * Whether one that is on the branch comes first. So does one that had no place in the order: it was
   * merged by hand, or without a run.
   */
  isLandedFirst(landed: PullRequestNumber, number: PullRequestNumber): boolean {
    const own = this.#current.get(number)
    const known = this.#landed.get(landed)
    return !own || !known || known.landedAt <= own.startedAt || known.place < own.place
  }

  /** Whether one that is in the queue comes first. One that has not started does not. */
  isFirst(other: PullRequestNumber, number: PullRequestNumber): boolean {
    const own = this.#current.get(number)
    const known = this.#current.get(other)
    return own !== undefined && known !== undefined && known.place < own.place
  }
}
