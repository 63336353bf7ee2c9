/** Which generated pull requests do not merge as text with one that is still in the queue. */

import type { Draw } from '../draw.ts'
import { firstGeneratedNumber } from '../scenario/scenario.ts'

export type Whereabouts = (number: number) => 'to come' | 'in the queue' | 'gone'

/**
 * Each pull request draws how far back the next one is that it conflicts with, and the next, so
 * that the cost goes by the conflicts there are and not by the length of the queue; and so that
 * whether two conflict depends on nobody else.
 */
export class TextConflicts {
  readonly #rate: number
  readonly #draw: Draw
  /** Everybody generated before this one is gone. */
  #oldest = firstGeneratedNumber

  constructor(rate: number, draw: Draw) {
    this.#rate = rate
    this.#draw = draw
  }

  /** Those in the queue, generated before it, that this one conflicts with; latest first. */
  of(number: number, whereabouts: Whereabouts): number[] {
    if (this.#rate === 0) return []
    while (this.#oldest < number && whereabouts(this.#oldest) === 'gone') this.#oldest++
    const found: number[] = []
    let other = number
    for (let nth = 1; ; nth++) {
      other -= this.#draw.tries('conflicts', `${number} ${nth}`, this.#rate)
      if (other < this.#oldest) return found
      if (whereabouts(other) === 'in the queue') found.push(other)
    }
  }
}
