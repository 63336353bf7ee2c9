/** The last entries of a kind, found by the composition that they are about. */

import type { CompositionNode } from './composition.ts'

type Entry = { readonly composition: CompositionNode }

export class Latest<Kept extends Entry> {
  readonly #limit: number
  /** At most `#limit` entries. The next one replaces the earliest, which is at `#next`. */
  readonly #kept: Kept[] = []
  #next = 0
  readonly #byComposition = new Map<CompositionNode, Kept[]>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get length(): number {
    return this.#kept.length
  }

  /** Adds an entry. Returns the one that is forgotten because of it; undefined if none is. */
  add(entry: Kept): Kept | undefined {
    const forgotten = this.#kept[this.#next]
    this.#kept[this.#next] = entry
    this.#next = (this.#next + 1) % this.#limit
    const same = this.#byComposition.get(entry.composition)
    if (same) same.push(entry)
    else this.#byComposition.set(entry.composition, [entry])
    if (forgotten) this.#forget(forgotten)
    return forgotten
  }

  /** The entries about this composition, the earliest first. */
  of(composition: CompositionNode): readonly Kept[] {
    return this.#byComposition.get(composition) ?? none
  }

  some(is: (entry: Kept) => boolean): boolean {
    return this.#kept.some(is)
  }

  #forget({ composition }: Kept): void {
    const same = this.#byComposition.get(composition)
    // The earliest of all is also the earliest of its composition.
    if (same && same.length > 1) same.shift()
    else this.#byComposition.delete(composition)
  }
}

const none: readonly never[] = []
