/** Keeps things in order: each waits until it is the first in every lane it is in. */

export type Laned = { readonly lanes: readonly string[] }

export class Lanes<Item extends Laned> {
  readonly #lanes = new Map<string, Item[]>()

  /** Puts it behind all others of its lanes. Answers whether it may go at once. */
  add(item: Item): boolean {
    for (const name of item.lanes) {
      const lane = this.#lanes.get(name)
      if (lane) lane.push(item)
      else this.#lanes.set(name, [item])
    }
    return this.#mayGo(item)
  }

  /** Takes out one that may go. Answers those that may go now. */
  remove(item: Item): Item[] {
    const next = new Set<Item>()
    for (const name of item.lanes) {
      const lane = this.#lanes.get(name)
      lane?.shift()
      const [first] = lane ?? []
      if (first) next.add(first)
      else this.#lanes.delete(name)
    }
    return [...next].filter((first) => this.#mayGo(first))
  }

  #mayGo(item: Item): boolean {
    return item.lanes.every((name) => this.#lanes.get(name)?.[0] === item)
  }
}
