/**
 * What draws about a test run are keyed by: the pull requests in it, in order, and how many runs
 * of just these were made before. Not its id, which would shift when an unrelated run goes away.
 */

import type { PullRequestNumber } from '../../engine/index.ts'
import { nameOf, type Key } from '../draw.ts'

export class RunKeys {
  /** How many runs were made of each composition, by the last pull request in it. */
  readonly #made = new Map<PullRequestNumber, Map<string, number>>()

  /** The key of a run of these that has just been started. Each call counts. */
  next(held: readonly PullRequestNumber[]): Key {
    const name = nameOf(held)
    const last = held.at(-1) ?? 0
    const made = this.#made.get(last) ?? new Map<string, number>()
    const attempt = made.get(name) ?? 0
    this.#made.set(last, made.set(name, attempt + 1))
    return attempt === 0 ? name : `${name}#${attempt}`
  }

  /**
   * Lets go of a pull request that is merged. One that left in another way may come back, and must
   * not meet the same flakes again.
   */
  forget(number: PullRequestNumber): void {
    this.#made.delete(number)
  }
}
