/**
 * Keys of draws about test runs: the pull requests in the run, in order, and how many runs of the
 * same pull requests were started before. The id of the run is not used, because it changes when
 * an unrelated run is removed.
 */

import type { PullRequestNumber } from '../../engine/index.ts'
import { nameOf, type Key } from '../random/draw.ts'

export class RunKeys {
  /** The number of runs of each composition, by the last pull request in it. */
  readonly #made = new Map<PullRequestNumber, Map<string, number>>()

  /** Returns the key of a run that has just been started. Each call counts as a run. */
  next(held: readonly PullRequestNumber[]): Key {
    const name = nameOf(held)
    const last = held.at(-1) ?? 0
    const made = this.#made.get(last) ?? new Map<string, number>()
    const attempt = made.get(name) ?? 0
    this.#made.set(last, made.set(name, attempt + 1))
    return attempt === 0 ? name : `${name}#${attempt}`
  }

  /**
   * Forgets a merged pull request. A pull request that left in another way must stay known: it may
   * be submitted again, and must not get the same flakes again.
   */
  forget(number: PullRequestNumber): void {
    this.#made.delete(number)
  }
}
