/** The seeds of a campaign: ranges and sets. */

import { createHash } from 'node:crypto'

/** A range of seeds, both ends included. */
export type SeedRange = { readonly from: number; readonly to: number }

export const sizeOf = ({ from, to }: SeedRange): number => to - from + 1

export function* seedsIn({ from, to }: SeedRange): Generator<number, undefined> {
  for (let seed = from; seed <= to; seed++) yield seed
  return undefined
}

/** Hexadecimal digits of a hash that make a seed: enough for commits to get different ranges. */
const seedDigits = 10

/** Returns a first seed derived from any text, for example a commit hash: same text, same seed. */
export function firstSeedOf(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, seedDigits), 16)
}

/** A set of seeds, kept as ranges in ascending order. */
export class SeedSet {
  readonly #ranges: { from: number; to: number }[] = []
  #size = 0

  /** Adds a seed, which must be larger than all seeds in the set. */
  add(seed: number): void {
    this.#size++
    const last = this.#ranges.at(-1)
    if (last?.to === seed - 1) last.to = seed
    else this.#ranges.push({ from: seed, to: seed })
  }

  get size(): number {
    return this.#size
  }

  get ranges(): SeedRange[] {
    return this.#ranges.map((range) => ({ ...range }))
  }

  /** The seeds as text, like `1..40, 43`. */
  get text(): string {
    return this.#ranges.map(rangeText).join(', ')
  }
}

export function rangeText({ from, to }: SeedRange): string {
  return from === to ? String(from) : `${from}..${to}`
}
