/**
 * Clashes: two pull requests pass alone and break together, because each was written without the other
 * (S-270).
 */

import type { Draw } from '../random/draw.ts'
import { firstGeneratedNumber } from '../scenario/scenario.ts'
import type { Length, PullRequestEntry, Traffic } from '../scenario/scenario.ts'
import type { ImpactedTargets, Millis } from '../../engine/index.ts'
import { drawnLength, longestLength } from './lengths.ts'

// Text conflicts of generated pull requests with those that are still in the queue.

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

type Known = {
  readonly number: number
  /** One that names none may touch anything. */
  readonly targets: ImpactedTargets
  readonly place: number
  /** When it left; infinite while it is in the queue. */
  leftAt: Millis
}

/** The chance that two pull requests clash, and that of those without a common target. */
export function clashRatesOf({ clashRate = 0 }: Traffic): Record<'rate' | 'across', number> {
  return typeof clashRate === 'number' ? { rate: clashRate, across: 0 } : clashRate
}

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
  /** All so far, in the order of their first submissions, and by number. */
  readonly #all: Known[] = []
  readonly #byNumber = new Map<number, Known>()
  /** For each of the first that had all left: when the last of those up to it had. */
  readonly #goneBy: Millis[] = []

  constructor(traffic: Traffic, draw: Draw) {
    const { baseAge = 0 } = traffic
    const { rate, across } = clashRatesOf(traffic)
    this.#draw = draw
    this.#baseAge = baseAge
    this.#longestAge = longestLength(baseAge)
    this.#rate = rate
    this.#acrossShare = rate === 0 ? 0 : across / rate
  }

  /** It is in the queue, perhaps again. */
  submitted(number: number): void {
    const known = this.#byNumber.get(number)
    if (!known) return
    known.leftAt = Infinity
    if (known.place < this.#goneBy.length) this.#goneBy.length = known.place
  }

  left(number: number, at: Millis): void {
    const known = this.#byNumber.get(number)
    if (known) known.leftAt = at
  }

  /** Returns those before it that one clashes with that is submitted for the first time, latest first. */
  of({ number, targets = 'ALL' }: PullRequestEntry, at: Millis): number[] {
    if (this.#rate === 0) return []
    this.#advance()
    // Most look back at nobody, and need no age.
    let base: Millis | null = null
    const found: number[] = []
    let place = this.#all.length
    const known = { number, targets, place, leftAt: Infinity }
    this.#byNumber.set(number, known)
    this.#all.push(known)
    for (let nth = 1; ; nth++) {
      const key = `${number} ${nth}`
      place -= this.#draw.tries('clashes', key, this.#rate)
      const other = place < 0 ? undefined : this.#all[place]
      if (!other) return found
      const goneBy = place < this.#goneBy.length ? (this.#goneBy[place] ?? 0) : Infinity
      if (goneBy <= at - this.#longestAge) return found
      base ??= at - drawnLength(this.#draw, this.#baseAge, `base of ${number}`)
      if (goneBy <= base) return found
      if (other.leftAt > base && this.#canMeet(targets, other.targets, key)) {
        found.push(other.number)
      }
    }
  }

  #advance(): void {
    for (let next = this.#goneBy.length; ; next++) {
      const leftAt = this.#all[next]?.leftAt ?? Infinity
      if (leftAt === Infinity) return
      this.#goneBy.push(Math.max(this.#goneBy.at(-1) ?? 0, leftAt))
    }
  }

  #canMeet(some: ImpactedTargets, others: ImpactedTargets, key: string): boolean {
    if (some === 'ALL' || others === 'ALL' || some.some((each) => others.includes(each)))
      return true
    return this.#draw.chance('clash across targets', key, this.#acrossShare)
  }
}
