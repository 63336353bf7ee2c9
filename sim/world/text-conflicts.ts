/** Text conflicts of generated pull requests with those that are still in the queue. */

import type { Draw } from '../random/draw.ts'
import { firstGeneratedNumber } from '../scenario/scenario.ts'

export type Presence = (number: number) => 'to come' | 'in the queue' | 'gone'

/**
 * Each pull request draws the distance back to the next pull request that it conflicts with, and so
 * on. So the cost depends on the number of conflicts, not on the length of the queue. Whether two
 * pull requests conflict depends on no other pull request.
 */
export class TextConflicts {
  readonly #rate: number
  readonly #draw: Draw
  /** All pull requests generated before this one have left the queue. */
  #oldest = firstGeneratedNumber

  constructor(rate: number, draw: Draw) {
    this.#rate = rate
    this.#draw = draw
  }

  /** Returns earlier generated pull requests in the queue that conflict with it, latest first. */
  of(number: number, presenceOf: Presence): number[] {
    if (this.#rate === 0) return []
    while (this.#oldest < number && presenceOf(this.#oldest) === 'gone') this.#oldest++
    const found: number[] = []
    let other = number
    for (let nth = 1; ; nth++) {
      other -= this.#draw.tries('conflicts', `${number} ${nth}`, this.#rate)
      if (other < this.#oldest) return found
      if (presenceOf(other) === 'in the queue') found.push(other)
    }
  }
}
