/**
 * The pull requests of a queue in the order in which they left it. Each entry keeps its position, also
 * when older entries are forgotten, because clients hold positions as cursors of pages.
 */

import type { Millis, PullRequestNumber } from '../../engine/index.ts'

export class Conclusions {
  #numbers: PullRequestNumber[]
  /** The position of the first entry that is kept. */
  #first: number
  #forgottenUntil: Millis

  constructor(
    numbers: readonly PullRequestNumber[] = [],
    { first = 0, forgottenUntil = 0 }: Partial<Forgotten> = {},
  ) {
    this.#numbers = [...numbers]
    this.#first = first
    this.#forgottenUntil = forgottenUntil
  }

  /** Adds an entry and returns its position. */
  add(number: PullRequestNumber): number {
    return this.#first + this.#numbers.push(number) - 1
  }

  /** The number at a position; undefined if it is forgotten or to come. */
  at(position: number): PullRequestNumber | undefined {
    return this.#numbers[position - this.#first]
  }

  /** One more than the position of the last entry. */
  get end(): number {
    return this.#first + this.#numbers.length
  }

  get forgotten(): Forgotten {
    return { first: this.#first, forgottenUntil: this.#forgottenUntil }
  }

  /** The entries that are kept, oldest first. */
  *entries(): Generator<readonly [position: number, number: PullRequestNumber]> {
    for (const [index, number] of this.#numbers.entries()) yield [this.#first + index, number]
  }

  get numbers(): readonly PullRequestNumber[] {
    return this.#numbers
  }

  /** Notes that a pull request is forgotten that left at this instant. */
  forget(leftAt: Millis): void {
    this.#forgottenUntil = Math.max(this.#forgottenUntil, leftAt)
  }

  /** Drops the oldest entries up to the first that is in use. */
  dropUnused(isUsed: (position: number, number: PullRequestNumber) => boolean): void {
    let unused = 0
    for (const [position, number] of this.entries()) {
      if (isUsed(position, number)) break
      unused++
    }
    if (unused === 0) return
    this.#numbers = this.#numbers.slice(unused)
    this.#first += unused
  }
}

export type Forgotten = {
  /** The position of the first entry that is kept. */
  readonly first: number
  /** The instant at which the last of the forgotten pull requests left; 0 if none is forgotten. */
  readonly forgottenUntil: Millis
}
