/**
 * A branch, and whether its tests would pass: now, or as it was some commits ago, and with what
 * else on top. A bisection tests on such an older state.
 */

import type { Branch } from './truth.ts'

/** What makes tests fail, as far as a branch needs to know. */
export type Causes = {
  breaksByItself(number: number): boolean
  /** Those that it breaks together with. */
  partnersOf(number: number): readonly number[]
  /** Those with which it does not break. */
  fixersOf(number: number): readonly number[]
  /** Whether it can make anything fail, alone or with others. */
  isSuspect(number: number): boolean
}

/** What a run would test: the first `length` commits of the branch, and these on top. */
type Composition = { readonly length: number; readonly added: readonly number[] }

export class TruthBranch implements Branch {
  readonly #causes: Causes
  /** How many commits the branch had once it first held the pull request. */
  readonly #heldSince = new Map<number, number>()
  /** Those of them that can make anything fail. */
  readonly #suspects: number[] = []
  #length = 0

  constructor(causes: Causes) {
    this.#causes = causes
  }

  /** How many commits it has, pushes from outside included. */
  get length(): number {
    return this.#length
  }

  add(number: number): void {
    this.#length++
    if (this.#heldSince.has(number)) return
    this.#heldSince.set(number, this.#length)
    if (this.#causes.isSuspect(number)) this.#suspects.push(number)
  }

  /** A commit that nothing is known about, and that passes its tests. */
  addForeign(): void {
    this.#length++
  }

  holds(number: number): boolean {
    return this.#heldSince.has(number)
  }

  get isBroken(): boolean {
    return this.culprits([]).length > 0
  }

  wouldBreak(added: readonly number[], length = this.#length): boolean {
    return this.culprits(added, length).length > 0
  }

  /** Who makes the composition fail: those that break by themselves, and both of each pair. */
  culprits(added: readonly number[], length = this.#length): number[] {
    const composition = { length, added }
    const isToBlame = (number: number): boolean => this.#isToBlame(number, composition)
    const onBranch = this.#suspects.filter((number) => this.#isIn(number, { length, added: [] }))
    const onTop = added.filter((number) => this.#causes.isSuspect(number))
    return [...onBranch, ...onTop.filter((number) => !onBranch.includes(number))].filter(isToBlame)
  }

  #isToBlame(number: number, composition: Composition): boolean {
    if (this.#isMended(number, composition)) return false
    if (this.#causes.breaksByItself(number)) return true
    return this.#causes
      .partnersOf(number)
      .some((other) => this.#isIn(other, composition) && !this.#isMended(other, composition))
  }

  #isMended(number: number, composition: Composition): boolean {
    return this.#causes.fixersOf(number).some((fixer) => this.#isIn(fixer, composition))
  }

  #isIn(number: number, { length, added }: Composition): boolean {
    const since = this.#heldSince.get(number)
    return (since !== undefined && since <= length) || added.includes(number)
  }
}
