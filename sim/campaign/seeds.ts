/** Which seeds a campaign runs. */

import { createHash } from 'node:crypto'

/** Both ends included. */
export type SeedRange = { readonly from: number; readonly to: number }

/** One part of a range that is cut into equal ones; the first has number 1. */
export type Shard = { readonly index: number; readonly of: number }

export const sizeOf = ({ from, to }: SeedRange): number => to - from + 1

export function* seedsIn({ from, to }: SeedRange): Generator<number, undefined> {
  for (let seed = from; seed <= to; seed++) yield seed
  return undefined
}

/** That part of the range. Sizes differ by one at most; parts of a short range may be empty. */
export function partOf(range: SeedRange, { index, of }: Shard): SeedRange {
  const startOf = (part: number): number => range.from + Math.floor((sizeOf(range) * part) / of)
  return { from: startOf(index - 1), to: startOf(index) - 1 }
}

/** Hexadecimal digits of a hash that make a seed: enough that no two commits share a range. */
const seedDigits = 10

/** A first seed out of any text, say the hash of a commit: the same text, the same seed. */
export function firstSeedOf(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, seedDigits), 16)
}

/** Seeds, in order, as ranges. */
export class SeedSet {
  readonly #ranges: { from: number; to: number }[] = []
  #size = 0

  /** Must be above all that are in it. */
  add(seed: number): void {
    this.#size++
    const last = this.#ranges.at(-1)
    if (last?.to === seed - 1) last.to = seed
    else this.#ranges.push({ from: seed, to: seed })
  }

  get size(): number {
    return this.#size
  }

  /** `1..40, 43`. */
  get text(): string {
    return this.#ranges.map(rangeText).join(', ')
  }
}

/** Those of the range that are not among these, as a text. */
export function seedsMissing(range: SeedRange, seeds: readonly number[]): string {
  const there = new Set(seeds)
  const missing = new SeedSet()
  for (const seed of seedsIn(range)) if (!there.has(seed)) missing.add(seed)
  return missing.text
}

function rangeText({ from, to }: SeedRange): string {
  return from === to ? String(from) : `${from}..${to}`
}
