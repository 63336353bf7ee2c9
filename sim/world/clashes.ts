/**
 * Clashes: two pull requests pass alone and break together, because each was written without the other
 * (S-270).
 */

import type { ImpactedTargets, Millis } from '../../engine/index.ts'
import type { Draw } from '../random/draw.ts'
import type { Length, PullRequestEntry, Traffic } from '../scenario/scenario.ts'
import { drawnLength, longestLength } from './lengths.ts'

/** The number of a pull request and its targets; one that names none may touch anything. */
type Known = { readonly number: number; readonly targets: ImpactedTargets }

/**
 * Each pull request draws the distance back to the next one that it clashes with, and so on, as far back
 * as one that it does not know may be. So the cost depends on what is in flight, and not on how long
 * the stream is.
 */
export class Clashes {
  readonly #draw: Draw
  readonly #baseAge: Length
  readonly #longestAge: Millis
  readonly #rate: number
  /** Among those drawn without a common target, the share that clashes. */
  readonly #acrossShare: number
  /** All so far, in the order of their first submissions, and the place of each. */
  readonly #all: Known[] = []
  readonly #placeOf = new Map<number, number>()
  /** When each that is not in the queue left it. */
  readonly #leftAt = new Map<number, Millis>()
  /** For each of the first that had all left: when the last of those up to it had. */
  readonly #goneBy: Millis[] = []

  constructor({ clashRate = 0, baseAge = 0 }: Traffic, draw: Draw) {
    const { rate, across } =
      typeof clashRate === 'number' ? { rate: clashRate, across: 0 } : clashRate
    this.#draw = draw
    this.#baseAge = baseAge
    this.#longestAge = longestLength(baseAge)
    this.#rate = rate
    this.#acrossShare = rate === 0 ? 0 : across / rate
  }

  /** It is in the queue again. */
  submitted(number: number): void {
    const place = this.#leftAt.delete(number) ? this.#placeOf.get(number) : undefined
    if (place !== undefined && place < this.#goneBy.length) this.#goneBy.length = place
  }

  left(number: number, at: Millis): void {
    if (this.#rate > 0) this.#leftAt.set(number, at)
  }

  /** Returns those before it that one clashes with that is submitted for the first time, latest first. */
  of({ number, targets = 'ALL' }: PullRequestEntry, at: Millis): number[] {
    if (this.#rate === 0) return []
    this.#advance()
    // Most look back at nobody, and need no age.
    let base: Millis | null = null
    const found: number[] = []
    let place = this.#all.length
    this.#placeOf.set(number, place)
    this.#all.push({ number, targets })
    for (let nth = 1; ; nth++) {
      const key = `${number} ${nth}`
      place -= this.#draw.tries('clashes', key, this.#rate)
      const other = this.#all[place]
      const goneBy = this.#goneBy[place] ?? Infinity
      if (!other || goneBy <= at - this.#longestAge) return found
      base ??= at - drawnLength(this.#draw, this.#baseAge, `base of ${number}`)
      if (goneBy <= base) return found
      const isUnknown = (this.#leftAt.get(other.number) ?? Infinity) > base
      if (isUnknown && this.#canMeet(targets, other.targets, key)) found.push(other.number)
    }
  }

  #advance(): void {
    for (let next = this.#all[this.#goneBy.length]; next; next = this.#all[this.#goneBy.length]) {
      const leftAt = this.#leftAt.get(next.number)
      if (leftAt === undefined) return
      this.#goneBy.push(Math.max(this.#goneBy.at(-1) ?? 0, leftAt))
    }
  }

  #canMeet(some: ImpactedTargets, others: ImpactedTargets, key: string): boolean {
    if (some === 'ALL' || others === 'ALL' || some.some((each) => others.includes(each)))
      return true
    return this.#draw.chance('clash across targets', key, this.#acrossShare)
  }
}
