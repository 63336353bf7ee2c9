/**
 * Which ref is which pull request. The number of `refs/pull/7/head` is 7. A branch gets the next free
 * number with its first submission, and the card in the log keeps it.
 */

import { closest, distance } from 'fastest-levenshtein'
import type { Card, PullRequestNumber } from '../../engine/index.ts'
import { numberIn, pullRef, type Sight } from './sight.ts'

const branchPrefix = 'refs/heads/'
const mostCompared = 100

export class PullRefs {
  readonly #refs = new Map<PullRequestNumber, string>()
  readonly #numbers = new Map<string, PullRequestNumber>()
  #highest = 0

  /** Call it for each card of the history, oldest first, and for each later one. */
  note(number: PullRequestNumber, { ref }: Pick<Card, 'ref'>): void {
    this.#refs.set(number, ref)
    this.#numbers.set(ref, number)
    this.taken(number)
  }

  /** The number cannot be given to a branch any more. */
  taken(number: PullRequestNumber): void {
    this.#highest = Math.max(this.#highest, number)
  }

  /** Whether the ref is or was a pull request: a branch that has merged is gone, and keeps its number. */
  has(ref: string): boolean {
    return this.#numbers.has(ref)
  }

  /** The ref of a pull request, also of one that was never submitted. */
  refOf(number: PullRequestNumber): string {
    return this.#refs.get(number) ?? pullRef(number)
  }

  /** The branch that somebody may have meant, of those that are or were there; null: none is like it. */
  branchLike(named: string, heads: Iterable<string>): string | null {
    const branches = [...heads, ...this.#numbers.keys()]
      .filter((ref) => ref.startsWith(branchPrefix))
      .map((ref) => ref.slice(branchPrefix.length))
    const below = branches.find((branch) => branch.endsWith(`/${named}`))
    if (below !== undefined || branches.length === 0) return below ?? null
    // The distance takes time in proportion to the length.
    const written = named.slice(0, mostCompared)
    const nearest = closest(written, branches)
    return distance(written, nearest) <= written.length / 3 ? nearest : null
  }

  /** The number of a ref: a known one, or the next one. The same ref keeps its number. */
  numberOf(ref: string, { heads }: Pick<Sight, 'heads'>): PullRequestNumber {
    const known = this.#numbers.get(ref) ?? numberIn(ref)
    if (known !== null) return known
    for (const other of heads.keys()) this.taken(numberIn(other) ?? 0)
    const number = this.#highest + 1
    this.note(number, { ref })
    return number
  }
}
