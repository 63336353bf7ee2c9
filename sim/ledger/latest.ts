/** The last entries of a kind, found by the composition that they are about. */

import type { CompositionNode } from './composition.ts'

type Entry = { readonly composition: CompositionNode }

export class Latest<Kept extends Entry> {
  readonly #limit: number
  readonly #inOrder: Kept[] = []
  readonly #byComposition = new Map<CompositionNode, Kept[]>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get length(): number {
    return this.#inOrder.length
  }

  /** Adds an entry. Returns the one that is forgotten because of it; undefined if none is. */
  add(entry: Kept): Kept | undefined {
    this.#inOrder.push(entry)
    const same = this.#byComposition.get(entry.composition)
    if (same) same.push(entry)
    else this.#byComposition.set(entry.composition, [entry])
    return this.#inOrder.length > this.#limit ? this.#forgetFirst() : undefined
  }

  /** The entries about this composition, the earliest first. */
  of(composition: CompositionNode): readonly Kept[] {
    return this.#byComposition.get(composition) ?? none
  }

  some(is: (entry: Kept) => boolean): boolean {
    return this.#inOrder.some(is)
  }

  #forgetFirst(): Kept | undefined {
    const first = this.#inOrder.shift()
    if (!first) return undefined
    // The earliest of all is also the earliest of its composition.
    const same = this.#byComposition.get(first.composition)
    same?.shift()
    if (same?.length === 0) this.#byComposition.delete(first.composition)
    return first
  }
}

const none: readonly never[] = []
