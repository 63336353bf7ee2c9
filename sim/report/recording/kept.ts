/** The pull requests behind a figure: as many as the report lists. */

import type { PullRequestNumber } from '../../../engine/index.ts'
import { mostListed } from '../../html/bar-list.ts'

/** A run of a million pull requests must not fill the memory, so only the first ones are kept. */
export class Kept {
  readonly #numbers = new Set<PullRequestNumber>()
  /** True if there were more. */
  hasMore = false

  add(numbers: readonly PullRequestNumber[]): void {
    for (const number of numbers) {
      if (this.#numbers.size < mostListed) this.#numbers.add(number)
      else if (!this.#numbers.has(number)) this.hasMore = true
    }
  }

  /** Each once, in the order in which they were added. */
  get numbers(): PullRequestNumber[] {
    return [...this.#numbers]
  }
}
