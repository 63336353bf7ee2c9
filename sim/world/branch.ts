/**
 * A branch, and whether its tests would pass: on the current or an older state, with further pull
 * requests on top. A bisection tests on such an older state.
 */

import type { Push } from '../scenario/scenario.ts'
import type { Branch } from './truth.ts'

/** The causes of failures that a branch needs to know. */
export type FailureCauses = {
  breaksByItself(number: number): boolean
  /** The pull requests that it breaks together with. */
  partnersOf(number: number): readonly number[]
  /** The pull requests that fix it. */
  fixersOf(number: number): readonly number[]
  /** Whether all that it breaks is in quarantine now, so that no run fails because of it. */
  isHidden(number: number): boolean
  /** Whether it can make a run fail, alone or with others. */
  isSuspect(number: number): boolean
  /** What the push does that is commit `length`; undefined if it passes its tests. */
  pushAt(length: number): Push | undefined
}

/** A push that breaks the branch is a cause of failure like a pull request, with this number. */
const numberOfPush = (length: number): number => -length

/** The contents of a run: the first `length` commits of the branch, and `added` on top. */
type BranchComposition = {
  readonly length: number
  readonly added: readonly number[]
  /** Also causes of which all failures are in quarantine count. */
  readonly isStrict?: boolean
}

export class TruthBranch implements Branch {
  readonly #causes: FailureCauses
  /** The length of the branch after it first received the pull request. */
  readonly #heldSince = new Map<number, number>()
  /**
   * What on the branch can make a run fail: what breaks by itself, and pairs of which both are on it.
   * Of all others only partners of what is on top matter, so a long branch costs no more.
   */
  readonly #suspects = new Set<number>()
  /** The lengths of the branch after pushes that have mended it. */
  readonly #mends: number[] = []
  #length = 0

  constructor(causes: FailureCauses) {
    this.#causes = causes
  }

  /** The number of commits, including pushes from outside. */
  get length(): number {
    return this.#length
  }

  add(number: number): void {
    this.#length++
    if (this.#heldSince.has(number)) return
    this.#heldSince.set(number, this.#length)
    if (!this.#causes.isSuspect(number)) return
    if (this.#causes.breaksByItself(number)) this.#suspects.add(number)
    for (const other of this.#causes.partnersOf(number)) {
      if (this.#heldSince.has(other)) this.#suspects.add(other).add(number)
    }
  }

  /** Adds a commit from outside. */
  addForeign(): void {
    this.#length++
    const { breaks, mends } = this.#causes.pushAt(this.#length) ?? {}
    if (mends) this.#mends.push(this.#length)
    if (!breaks) return
    this.#heldSince.set(numberOfPush(this.#length), this.#length)
    this.#suspects.add(numberOfPush(this.#length))
  }

  /** Whether the branch holds it, or its first `length` commits. */
  holds(number: number, length = this.#length): boolean {
    return this.#isOnBranch(number, length)
  }

  get isBroken(): boolean {
    return this.wouldBreak([])
  }

  get wasMended(): boolean {
    return this.#mends.length > 0
  }

  isBrokenByPush(added: readonly number[] = [], length = this.#length): boolean {
    return this.culprits(added, length).some((number) => number < 0)
  }

  wouldBreak(added: readonly number[], length = this.#length): boolean {
    const composition = { length, added }
    for (const number of added) {
      if (!this.#causes.isSuspect(number)) continue
      if (this.#isToBlame(number, composition)) return true
      // What it breaks may be in quarantine, and what its partners break not.
      const isBroken = (other: number): boolean =>
        this.#isIn(other, composition) && this.#isToBlame(other, composition)
      if (this.#causes.isHidden(number) && this.#causes.partnersOf(number).some(isBroken))
        return true
    }
    for (const number of this.#suspects) {
      if (this.#isOnBranch(number, length) && this.#isToBlame(number, composition)) return true
    }
    return false
  }

  /** The causes of failure in a composition: pull requests that break, and both of each pair. */
  culprits(added: readonly number[], length = this.#length): number[] {
    return this.#culpritsIn({ length, added })
  }

  /** The same without the quarantine: whoever makes a test fail. */
  breakers(added: readonly number[], length = this.#length): number[] {
    return this.#culpritsIn({ length, added, isStrict: true })
  }

  #culpritsIn(composition: BranchComposition): number[] {
    const { length, added } = composition
    const isToBlame = (number: number): boolean => this.#isToBlame(number, composition)
    const onTop = added.filter((number) => this.#causes.isSuspect(number))
    const below = new Set(this.#suspects)
    for (const number of onTop) {
      for (const each of [number, ...this.#causes.partnersOf(number)]) below.add(each)
    }
    const since = (number: number): number => this.#heldSince.get(number) ?? Infinity
    const onBranch = [...below].filter((number) => since(number) <= length)
    onBranch.sort((a, b) => since(a) - since(b))
    return [...onBranch, ...onTop.filter((number) => !onBranch.includes(number))].filter(isToBlame)
  }

  #isToBlame(number: number, composition: BranchComposition): boolean {
    if (!composition.isStrict && this.#causes.isHidden(number)) return false
    if (this.#isFixed(number, composition)) return false
    if (this.#causes.breaksByItself(number)) return true
    return this.#causes
      .partnersOf(number)
      .some((other) => this.#isIn(other, composition) && !this.#isFixed(other, composition))
  }

  #isFixed(number: number, composition: BranchComposition): boolean {
    const since = this.#heldSince.get(number) ?? Infinity
    if (this.#mends.some((mend) => since < mend && mend <= composition.length)) return true
    return this.#causes.fixersOf(number).some((fixer) => {
      // A push breaks what was mended before.
      if (number < 0 && (this.#heldSince.get(fixer) ?? Infinity) < since) return false
      return this.#isIn(fixer, composition)
    })
  }

  #isIn(number: number, { length, added }: BranchComposition): boolean {
    return this.#isOnBranch(number, length) || added.includes(number)
  }

  #isOnBranch(number: number, length: number): boolean {
    return (this.#heldSince.get(number) ?? Infinity) <= length
  }
}
