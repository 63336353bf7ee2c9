/**
 * Clashes of generated pull requests: two pass alone and break together, because each was written
 * without the other (S-270).
 */

import type { ImpactedTargets, Millis } from '../../engine/index.ts'
import type { Draw } from '../random/draw.ts'
import { firstGeneratedNumber, type Traffic } from '../scenario/scenario.ts'
import { drawnLength } from './lengths.ts'
import { targetsOf } from './traffic.ts'

/**
 * Each pull request draws the distance back to the next pull request that it clashes with, and so on,
 * as far back as one that it does not know may be. So the cost depends on what is in flight, and
 * whether two clash depends on no other pull request.
 */
export class Clashes {
  readonly #traffic: Traffic
  readonly #draw: Draw
  readonly #rate: number
  /** Among those drawn without a common target, the share that clashes. */
  readonly #acrossShare: number
  /** When each that is not in the queue left it. */
  readonly #leftAt = new Map<number, Millis>()
  /** All generated before this one had left at some time. */
  #oldest = firstGeneratedNumber
  /** For each of those, when the last of the ones up to it had left. */
  readonly #goneBy: Millis[] = []

  constructor(traffic: Traffic, draw: Draw) {
    const { clashRate = 0 } = traffic
    const { rate, across } =
      typeof clashRate === 'number' ? { rate: clashRate, across: 0 } : clashRate
    this.#traffic = traffic
    this.#draw = draw
    this.#rate = rate
    this.#acrossShare = rate === 0 ? 0 : across / rate
  }

  /** It is in the queue, for the first time or again. */
  submitted(number: number): void {
    if (this.#rate === 0) return
    this.#leftAt.delete(number)
    if (number >= this.#oldest || number < firstGeneratedNumber) return
    this.#oldest = number
    this.#goneBy.length = number - firstGeneratedNumber
  }

  left(number: number, at: Millis): void {
    if (this.#rate > 0) this.#leftAt.set(number, at)
  }

  /** Returns those generated before it that it clashes with, latest first. */
  of(number: number, at: Millis): number[] {
    if (this.#rate === 0) return []
    this.#advanceTo(number)
    const base = at - drawnLength(this.#draw, this.#traffic.baseAge ?? 0, `base of ${number}`)
    const found: number[] = []
    let other = number
    for (let nth = 1; ; nth++) {
      const key = `${number} ${nth}`
      other -= this.#draw.tries('clashes', key, this.#rate)
      const index = other - firstGeneratedNumber
      if (index < 0 || (this.#goneBy[index] ?? Infinity) <= base) return found
      const isUnknown = (this.#leftAt.get(other) ?? Infinity) > base
      if (isUnknown && this.#canMeet(number, other, key)) found.push(other)
    }
  }

  #advanceTo(number: number): void {
    for (; this.#oldest < number; this.#oldest++) {
      const leftAt = this.#leftAt.get(this.#oldest)
      if (leftAt === undefined) return
      this.#goneBy.push(Math.max(this.#goneBy.at(-1) ?? 0, leftAt))
    }
  }

  #canMeet(number: number, other: number, key: string): boolean {
    const { targets } = this.#traffic
    if (!targets) return true
    const [some, others] = [number, other].map((each) => targetsOf(each, targets, this.#draw))
    if (shareTarget(some, others)) return true
    return this.#draw.chance('clash across targets', key, this.#acrossShare)
  }
}

function shareTarget(some: ImpactedTargets = 'ALL', others: ImpactedTargets = 'ALL'): boolean {
  if (some === 'ALL' || others === 'ALL') return true
  return some.some((target) => others.includes(target))
}
